import Foundation
import TestSupport
import Testing

@Suite("Standard output that cannot be written", .timeLimit(.minutes(5)))
struct LostOutputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a program by a shell, with the redirection of standard streams.
    private func run(
        _ program: String, _ arguments: [String], _ redirection: String
    ) async throws
        -> BuiltProgram.Result
    {
        let path = try BuiltProgram(program).path
        return try await BuiltProgram(path: "/bin/sh").run(
            ["-c", #"exec "$@" "# + redirection, "sh", path] + arguments, environment: ["HOME": folder.path])
    }

    @Test(
        "a command says so in one sentence, and exits with status 74",
        arguments: [
            ("findmybike", ["--help"]), ("findmybike", ["settings"]), ("findmybike-monitor", ["settings", "--json"]),
            ("findmybike-registry", ["settings"]), ("findmybike-registry", ["operator", "--help"]),
        ])
    func sentence(program: String, arguments: [String]) async throws {
        let full = try await run(program, arguments, ">/dev/full")
        #expect(full.status == 74 && !full.wasKilled)
        #expect(full.errors == "\(program): standard output cannot be written: No space left on device\n")
        let closed = try await run(program, arguments, ">&-")
        #expect(closed.status == 74 && !closed.wasKilled)
        #expect(closed.errors == "\(program): standard output is closed\n")
    }

    @Test("so does a command that would print for hours, as soon as nobody can read it")
    func stream() async throws {
        let scenario = Repository.path("config/scenarios/bike-passes-cafe.yaml")
        let identity = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"
        let result = try await run(
            "findmybike", ["find", "--identity", identity, "--simulate", scenario, "--speed", "1"], ">/dev/full")
        #expect(result.status == 74 && !result.wasKilled, "\(result.errors)")
    }

    @Test("a program whose standard error cannot be written works as usual")
    func noRemarks() async throws {
        let result = try await run("findmybike", ["settings"], "2>/dev/full")
        #expect(result.status == 0 && result.output.contains("registry.url"))
        let failed = try await run("findmybike", ["nonsense"], "2>&-")
        #expect(failed.status == 64 && !failed.wasKilled)
    }

    @Test("an operator whose token nobody has is named, and can be revoked", arguments: [">/dev/full", ">&-"])
    func secret(redirection: String) async throws {
        let database = ["--database", folder.file("registry.sqlite")]
        let made = try await run("findmybike-registry", ["operator", "create"] + database, redirection)
        #expect(made.status == 74 && !made.wasKilled)
        let lines = made.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(made.errors)")
        let command = try #require(made.errors.firstMatch(of: /‘findmybike-registry (operator revoke [0-9a-f-]+)’/))
        let revocation = command.output.1.split(separator: " ").map(String.init)
        let revoked = try await run("findmybike-registry", revocation + database, "")
        #expect(revoked.status == 0 && revoked.output == "Operator operator was revoked.\n", "\(revoked.errors)")
        // The closed descriptor was not given to the database, into which the token would then be written.
        let listed = try await run("findmybike-registry", ["operator", "list"] + database, "")
        #expect(listed.status == 0 && listed.output.contains("revoked"), "\(listed.errors)")
    }
}
