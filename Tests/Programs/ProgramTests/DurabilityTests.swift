import Foundation
import TestSupport
import Testing

@Suite("Durability of the registry")
struct DurabilityTests {
    private struct Verdict: Decodable {
        let answers: Int
        let writes: Int
        let violations: [String]
    }

    private func trace(_ options: [String] = []) async throws -> Verdict {
        let script = try #require(Bundle.module.path(forResource: "trace", ofType: "py", inDirectory: "Fixtures"))
        let programs = try BuiltProgram("findmybike-registry").folder
        let result = try await BuiltProgram(path: "/usr/bin/env").run(["python3", script, programs] + options)
        #expect(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Verdict.self, from: Data(result.output.utf8))
    }

    @Test("every acknowledged write is on disk before its response is sent")
    func synced() async throws {
        let verdict = try await trace()
        #expect(verdict.answers == verdict.writes)
        #expect(verdict.violations.isEmpty)
    }

    @Test("the trace checker detects a missing sync")
    func judge() async throws {
        let verdict = try await trace(["--without-syncs"])
        #expect(verdict.violations.count == verdict.writes)
    }
}
