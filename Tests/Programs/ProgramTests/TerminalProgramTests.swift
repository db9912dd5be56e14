import Foundation
import TestSupport
import Testing

@Suite("Programs on a terminal", .timeLimit(.minutes(20)))
struct TerminalProgramTests {
    private struct Outcome: Decodable {
        struct Registry: Decodable {
            let listens: Bool
            let forProgramsOnly: Bool
            let reloads: Bool
            let ends: Int?
        }

        struct Scan: Decodable {
            let draws: Bool
            let status: Int?
            let header: Bool
        }

        let registry: Registry
        let scan: Scan
    }

    @Test(
        "a registry reloads its settings on SIGHUP and ends with its terminal; Ctrl-C leaves a scan’s header intact")
    func person() async throws {
        let script = try #require(Bundle.module.path(forResource: "terminal", ofType: "py", inDirectory: "Fixtures"))
        let programs = try BuiltProgram("findmybike-registry").folder
        let result = try await BuiltProgram(path: "/usr/bin/env").run([
            "python3", script, Repository.path(""), programs,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(result.output.utf8))
        #expect(outcome.registry.listens && !outcome.registry.forProgramsOnly && outcome.registry.reloads)
        #expect(outcome.registry.ends == 0)
        #expect(outcome.scan.draws && outcome.scan.header && outcome.scan.status == 0)
    }
}
