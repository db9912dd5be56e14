import Foundation
import TestSupport
import Testing

@Suite("Alerts of a registry that is killed", .timeLimit(.minutes(20)))
struct AlertTests {
    private struct Outcome: Decodable {
        let answered, lost, kills, most, repeated, strange, untold, waiting: Int
    }

    @Test("no alert about a stored sighting is lost, and each kill repeats at most the deliveries in progress")
    func kills() async throws {
        let script = try #require(Bundle.module.path(forResource: "alerts", ofType: "py", inDirectory: "Fixtures"))
        let programs = try BuiltProgram("findmybike-registry").folder
        let result = try await BuiltProgram(path: "/usr/bin/env").run(["python3", script, programs, "1"])
        #expect(result.status == 0, "\(result.errors)")
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(result.output.utf8))
        #expect(outcome.answered > 5)
        #expect(outcome.lost == 0)
        #expect(outcome.untold == 0)
        #expect(outcome.strange == 0)
        #expect(outcome.waiting == 0)
        #expect(outcome.most <= 1 + outcome.kills)
        #expect(outcome.repeated <= 16 * outcome.kills)
    }
}
