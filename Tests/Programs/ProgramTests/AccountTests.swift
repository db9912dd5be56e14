import Foundation
import TestSupport
import Testing

@Suite("findmybike owner, report and transfer", .timeLimit(.minutes(20)))
struct AccountTests {
    private let registry: LiveRegistry
    private let owner: Person

    init() async throws {
        registry = try await LiveRegistry()
        owner = registry.person("owner")
    }

    private struct Created: Decodable {
        let recoveryCodes: [String]
    }

    private struct Code: Decodable {
        let code: String
    }

    /// A person whose environment does not name the registry.
    private func stranger(_ name: String) -> Person {
        Person(home: registry.folder.file(name), url: nil, at: registry)
    }

    @Test("an owner who lost the token recovers the account, and can erase a missing bike only with a code")
    func recovery() async throws {
        let codes: Created = try await owner.value("owner", "create")
        #expect(codes.recoveryCodes.count == 10)
        _ = try await owner.output(
            "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red")
        #expect(try await owner.output("bike", "missing").contains("--police-reference"))
        _ = try await owner.output("report", "edit", "--police-reference", "7/26")
        #expect(try await owner.output("report", "list").contains("7/26"))
        try FileManager.default.removeItem(atPath: owner.token)
        _ = try await owner.output("owner", "recover", codes.recoveryCodes[0])
        let other = registry.folder.file("other")
        #expect(await owner.run("owner", "recover", codes.recoveryCodes[0], "--token-file", other).status == 77)
        let asked = await owner.run("bike", "erase")
        #expect(asked.status == 64 && asked.errors.contains("--yes"))
        let refused = await owner.run("bike", "erase", "--yes")
        #expect(refused.status == 77 && refused.errors.contains("--recovery-code"))
        _ = try await owner.output("bike", "erase", "--yes", "--recovery-code", codes.recoveryCodes[1])
        #expect(try await owner.output("owner", "export").contains("\"bikes\":[]"))
        _ = try await owner.output("owner", "erase", "--yes")
        #expect(await owner.run("owner", "show").status == 77)
    }

    @Test("recovery works on a new machine, and replaces an existing token only with --replace")
    func recoveryElsewhere() async throws {
        let codes: Created = try await owner.value("owner", "create")
        let new = stranger("new")
        _ = try await new.output("owner", "recover", codes.recoveryCodes[0], "--registry", registry.url)
        _ = try await new.output("owner", "show")
        let refused = await new.run("owner", "recover", codes.recoveryCodes[1])
        #expect(refused.status == 73 && refused.errors.contains("--replace"))
        _ = try await new.output("owner", "recover", codes.recoveryCodes[1], "--replace")
        #expect(FileManager.default.fileExists(atPath: new.token + ".bak"))
        #expect(try await new.output("status").contains("nothing can alert you"))
        _ = try await new.output("logout", "--yes")
        #expect(!FileManager.default.fileExists(atPath: new.token + ".bak"))
        #expect(await new.run("whoami").status == 78)
    }

    @Test("an account in a separate file does not replace the usual account unless asked")
    func secondAccount() async throws {
        let two = stranger("two")
        let address = String(registry.url.dropFirst("http://".count))
        _ = try await two.output("login", address, "--new")
        let usual = try await two.output("owner", "show", "--json")
        let file = two.home + "/second"
        let second = await two.run("login", address, "--new", "--token-file", file)
        #expect(second.status == 0 && second.errors.contains("--token-file \(file) --registry \(registry.url)"))
        #expect(try await two.output("owner", "show", "--json") == usual)
        #expect(try await two.output("owner", "show", "--json", "--token-file", file) != usual)
        let third = two.home + "/third"
        _ = try await two.output("login", address, "--new", "--token-file", third, "--default")
        #expect(try await two.output("status").contains(third))
    }

    @Test("with several bikes, commands about a missing bike apply to the missing one")
    func several() async throws {
        _ = try await owner.output("owner", "create")
        for make in ["Brompton", "Triumph"] {
            let bike = try await owner.output(
                "bike", "register", "--kind", "other", "--make", make, "--model", "B", "--colour", "red")
            #expect(bike.contains("UUID    21EECF71") && bike.contains("Minor   "))
        }
        let asked = await owner.run("bike", "missing")
        #expect(asked.status == 64 && asked.errors.contains("which bike? Brompton B (01"))
        let future = await owner.run("bike", "missing", "bromp", "--since", "in 2h")
        #expect(future.status == 64 && future.errors.contains("--since must not be in the future"))
        let missing = try await owner.output("bike", "missing", "bromp", "--since", "2h ago")
        #expect(missing.contains("‘findmybike channel add ntfy"), "\(missing)")
        #expect(!missing.contains("channel add email"))
        let email = await owner.run("channel", "add", "email", "me@example.org")
        #expect(email.status == 64 && email.errors.contains("which offers: ntfy, webhook"), "\(email.errors)")
        let heard = await owner.run("sightings")
        #expect(heard.status == 0 && heard.errors.contains("using Brompton B, your missing bike"))
        #expect(try await owner.output("bike", "found", "--outcome", "false-alarm").contains("closed: false alarm"))
        #expect(try await owner.output("report", "list", "bromp").contains("false alarm"))
    }

    @Test("a channel whose latest message failed does not count as working")
    func failingChannel() async throws {
        _ = try await owner.output("owner", "create")
        _ = try await owner.output("channel", "add", "webhook", "https://registry.invalid/hook")
        #expect(try await owner.output("channel", "list").contains("no alerts sent yet"))
        #expect(await owner.run("channel", "test", "webhook").status == 1)
        let listed = try await owner.output("channel", "list")
        #expect(listed.contains("FAILS") && !listed.contains("works"))
        _ = try await owner.output(
            "bike", "register", "--kind", "other", "--make", "Škoda", "--model", "B", "--colour", "red")
        let missing = try await owner.output("bike", "missing", "skoda", "--police-reference", "7/26")
        #expect(missing.contains("none of your channels works"), "\(missing)")
        #expect(try await owner.output("report", "edit", "--police-reference", "7/26") == "Nothing to change.\n")
        _ = try await owner.output("bike", "found", "skoda")
        _ = try await owner.output("channel", "remove", "invalid/ho", "--yes")
    }

    @Test("a bike is transferred to another owner, and a token is limited to its scope")
    func transfer() async throws {
        let buyer = registry.person("buyer")
        try await owner.becomeOwner()
        _ = try await buyer.output("owner", "create")
        _ = try await owner.output("bike", "edit", "--colour", "blue", "--serial", "S1")
        let transfer: Code = try await owner.value("bike", "transfer", "--yes")
        _ = try await buyer.output("bike", "take", transfer.code)
        #expect(try await buyer.output("bike", "show").contains("S1"))
        #expect(try await buyer.output("bike", "history").contains("taken over"))
        #expect(try await owner.output("bike", "list").contains("No bikes yet"))
        let token = registry.folder.file("phone")
        _ = try await buyer.output("owner", "token", "create", "phone", "--scope", "read", "--output", token)
        let refused = await buyer.run("bike", "missing", "--token-file", token)
        #expect(refused.status == 77 && refused.errors.contains("‘report’"))
        #expect(try await buyer.output("bike", "list", "--token-file", token).contains("blue"))
    }
}
