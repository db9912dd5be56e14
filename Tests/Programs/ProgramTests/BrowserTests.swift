import Foundation
import TestSupport
import Testing

@Suite("A real browser", .timeLimit(.minutes(10)))
struct BrowserTests {
    @Test(
        "Chromium signs up and in with passkeys, keeps its session, and cannot be made to change anything by other sites"
    )
    func passkeys() async throws {
        let script = try #require(Bundle.module.path(forResource: "passkeys", ofType: "py", inDirectory: "Fixtures"))
        let programs = try BuiltProgram("findmybike-registry").folder
        let python = Repository.path(".build/venv/bin/python")
        let result = try await BuiltProgram(path: python).run([script, programs], environment: ["HOME": "/tmp"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("all checks passed"))
    }
}
