import Foundation
import TestSupport
import Testing

@Suite("findmybike owner, report and transfer", .timeLimit(.minutes(20)))
struct AccountTests {
    private let program: BuiltProgram
    private let folder: TemporaryFolder
    private let registry: LiveRegistry

    init() async throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
        registry = try await LiveRegistry()
    }

    private struct Created: Decodable {
        let recoveryCodes: [String]
    }

    private struct Code: Decodable {
        let code: String
    }

    /// Runs a command as the person whose home is the folder of this name.
    private func run(_ arguments: String..., as person: String = "owner") async throws -> BuiltProgram.Result {
        try await program.run(
            arguments, environment: ["HOME": folder.file(person), "FINDMYBIKE_REGISTRY_URL": registry.url]
        )
    }

    private func json<Value: Decodable>(_ result: BuiltProgram.Result) throws -> Value {
        #expect(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Value.self, from: Data(result.output.utf8))
    }

    @Test("an owner who lost the token recovers the account, and can erase a missing bike only with a code")
    func recovery() async throws {
        let codes = try await json(run("owner", "create", "--json")) as Created
        #expect(codes.recoveryCodes.count == 10)
        _ = try await run("bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red")
        let missing = try await run("bike", "missing")
        #expect(missing.output.contains("--police-reference"))
        #expect(try await run("report", "edit", "--police-reference", "7/26").status == 0)
        #expect(try await run("report", "list").output.contains("7/26"))
        try FileManager.default.removeItem(atPath: folder.file("owner/.config/findmybike/token"))
        #expect(try await run("owner", "recover", codes.recoveryCodes[0]).status == 0)
        let used = try await run("owner", "recover", codes.recoveryCodes[0], "--token-file", folder.file("other"))
        #expect(used.status == 77)
        let asked = try await run("bike", "erase")
        #expect(asked.status == 64 && asked.errors.contains("--yes"))
        let refused = try await run("bike", "erase", "--yes")
        #expect(refused.status == 77 && refused.errors.contains("--recovery-code"))
        #expect(try await run("bike", "erase", "--yes", "--recovery-code", codes.recoveryCodes[1]).status == 0)
        #expect(try await run("owner", "export").output.contains("\"bikes\":[]"))
        #expect(try await run("owner", "erase", "--yes").status == 0)
        #expect(try await run("owner", "show").status == 77)
        withExtendedLifetime(registry) {}
    }

    @Test("recovery works on a new machine, and replaces an existing token only with --replace")
    func recoveryElsewhere() async throws {
        let codes = try await json(run("owner", "create", "--json")) as Created
        let home = ["HOME": folder.file("new")]
        let recovered = try await program.run(
            ["owner", "recover", codes.recoveryCodes[0], "--registry", registry.url], environment: home)
        #expect(recovered.status == 0, "\(recovered.errors)")
        #expect(try await program.run(["owner", "show"], environment: home).status == 0)
        let refused = try await program.run(["owner", "recover", codes.recoveryCodes[1]], environment: home)
        #expect(refused.status == 73 && refused.errors.contains("--replace"))
        #expect(
            try await program.run(["owner", "recover", codes.recoveryCodes[1], "--replace"], environment: home).status
                == 0)
        #expect(FileManager.default.fileExists(atPath: folder.file("new/.config/findmybike/token.bak")))
        #expect(try await program.run(["status"], environment: home).output.contains("nothing can alert you"))
        #expect(try await program.run(["logout", "--yes"], environment: home).status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("new/.config/findmybike/token.bak")))
        #expect(try await program.run(["whoami"], environment: home).status == 78)
        withExtendedLifetime(registry) {}
    }

    @Test("an account in a separate file does not replace the usual account unless asked")
    func secondAccount() async throws {
        let home = ["HOME": folder.file("two")]
        let address = String(registry.url.dropFirst("http://".count))
        #expect(try await program.run(["login", address, "--new"], environment: home).status == 0)
        let usual = try await program.run(["owner", "show", "--json"], environment: home).output
        let file = folder.file("two/second")
        let second = try await program.run(["login", address, "--new", "--token-file", file], environment: home)
        #expect(second.status == 0 && second.errors.contains("--token-file \(file) --registry \(registry.url)"))
        #expect(try await program.run(["owner", "show", "--json"], environment: home).output == usual)
        let other = try await program.run(["owner", "show", "--json", "--token-file", file], environment: home)
        #expect(other.status == 0 && other.output != usual)
        let third = folder.file("two/third")
        let login = ["login", address, "--new", "--token-file", third, "--default"]
        #expect(try await program.run(login, environment: home).status == 0)
        #expect(try await program.run(["status"], environment: home).output.contains(third))
        withExtendedLifetime(registry) {}
    }

    @Test("with several bikes, commands about a missing bike apply to the missing one")
    func several() async throws {
        #expect(try await run("owner", "create").status == 0)
        for make in ["Brompton", "Triumph"] {
            let bike = try await run(
                "bike", "register", "--kind", "other", "--make", make, "--model", "B", "--colour", "red")
            #expect(bike.output.contains("UUID    21EECF71") && bike.output.contains("Minor   "))
        }
        let asked = try await run("bike", "missing")
        #expect(asked.status == 64 && asked.errors.contains("which bike? Brompton B (01"))
        let future = try await run("bike", "missing", "bromp", "--since", "in 2h")
        #expect(future.status == 64 && future.errors.contains("--since must not be in the future"))
        #expect(try await run("bike", "missing", "bromp", "--since", "2h ago").status == 0)
        let heard = try await run("sightings")
        #expect(heard.status == 0 && heard.errors.contains("using Brompton B, your missing bike"))
        let closed = try await run("bike", "found", "--outcome", "false-alarm")
        #expect(closed.output.contains("closed: false alarm"))
        #expect(try await run("report", "list", "bromp").output.contains("false alarm"))
        withExtendedLifetime(registry) {}
    }

    @Test("a channel whose latest message failed does not count as working")
    func failingChannel() async throws {
        #expect(try await run("owner", "create").status == 0)
        #expect(try await run("channel", "add", "webhook", "https://registry.invalid/hook").status == 0)
        #expect(try await run("channel", "list").output.contains("no alerts sent yet"))
        #expect(try await run("channel", "test", "webhook").status == 1)
        let listed = try await run("channel", "list").output
        #expect(listed.contains("FAILS") && !listed.contains("works"))
        _ = try await run("bike", "register", "--kind", "other", "--make", "Škoda", "--model", "B", "--colour", "red")
        let missing = try await run("bike", "missing", "skoda", "--police-reference", "7/26")
        #expect(missing.output.contains("none of your channels works"), "\(missing.output)")
        #expect(try await run("report", "edit", "--police-reference", "7/26").output == "Nothing to change.\n")
        #expect(try await run("bike", "found", "skoda").status == 0)
        #expect(try await run("channel", "remove", "invalid/ho", "--yes").status == 0)
        withExtendedLifetime(registry) {}
    }

    @Test("a bike is transferred to another owner, and a token is limited to its scope")
    func transfer() async throws {
        for person in ["owner", "buyer"] { #expect(try await run("owner", "create", as: person).status == 0) }
        _ = try await run("bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red")
        #expect(try await run("bike", "edit", "--colour", "blue", "--serial", "S1").status == 0)
        let transfer = try await json(run("bike", "transfer", "--yes", "--json")) as Code
        #expect(try await run("bike", "take", transfer.code, as: "buyer").status == 0)
        #expect(try await run("bike", "show", as: "buyer").output.contains("S1"))
        #expect(try await run("bike", "history", as: "buyer").output.contains("taken over"))
        #expect(try await run("bike", "list").output.contains("No bikes yet"))
        let token = folder.file("phone")
        #expect(
            try await run("owner", "token", "create", "phone", "--scope", "read", "--output", token, as: "buyer").status
                == 0)
        let refused = try await run("bike", "missing", "--token-file", token, as: "buyer")
        #expect(refused.status == 77 && refused.errors.contains("‘report’"))
        #expect(try await run("bike", "list", "--token-file", token, as: "buyer").output.contains("blue"))
        withExtendedLifetime(registry) {}
    }
}
