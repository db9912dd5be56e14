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
    private func run(_ arguments: String..., as person: String = "owner") throws -> BuiltProgram.Result {
        try program.run(
            arguments, environment: ["HOME": folder.file(person), "FINDMYBIKE_REGISTRY_URL": registry.url]
        )
    }

    private func json<Value: Decodable>(_ result: BuiltProgram.Result) throws -> Value {
        #expect(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Value.self, from: Data(result.output.utf8))
    }

    @Test("an owner whose token is lost recovers, and erases a missing bike only with a code")
    func recovery() throws {
        let codes = try json(run("owner", "create", "--json")) as Created
        #expect(codes.recoveryCodes.count == 10)
        _ = try run("bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red")
        let missing = try run("bike", "missing")
        #expect(missing.output.contains("--police-reference"))
        #expect(try run("report", "edit", "--police-reference", "7/26").status == 0)
        #expect(try run("report", "list").output.contains("7/26"))
        try FileManager.default.removeItem(atPath: folder.file("owner/.config/findmybike/token"))
        #expect(try run("owner", "recover", codes.recoveryCodes[0]).status == 0)
        let used = try run("owner", "recover", codes.recoveryCodes[0], "--token-file", folder.file("other"))
        #expect(used.status == 77)
        let asked = try run("bike", "erase")
        #expect(asked.status == 64 && asked.errors.contains("--yes"))
        let refused = try run("bike", "erase", "--yes")
        #expect(refused.status == 77 && refused.errors.contains("--recovery-code"))
        #expect(try run("bike", "erase", "--yes", "--recovery-code", codes.recoveryCodes[1]).status == 0)
        #expect(try run("owner", "export").output.contains("\"bikes\":[]"))
        #expect(try run("owner", "erase", "--yes").status == 0)
        #expect(try run("owner", "show").status == 77)
        withExtendedLifetime(registry) {}
    }

    @Test("a bike goes from one owner to another, and a token goes no further than its scope")
    func transfer() throws {
        for person in ["owner", "buyer"] { #expect(try run("owner", "create", as: person).status == 0) }
        _ = try run("bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red")
        #expect(try run("bike", "edit", "--colour", "blue", "--serial", "S1").status == 0)
        let transfer = try json(run("bike", "transfer", "--yes", "--json")) as Code
        #expect(try run("bike", "take", transfer.code, as: "buyer").status == 0)
        #expect(try run("bike", "show", as: "buyer").output.contains("S1"))
        #expect(try run("bike", "history", as: "buyer").output.contains("transferred"))
        #expect(try run("bike", "list").output.contains("No bikes yet"))
        let token = folder.file("phone")
        #expect(
            try run("owner", "token", "create", "phone", "--scope", "read", "--output", token, as: "buyer").status == 0)
        let refused = try run("bike", "missing", "--token-file", token, as: "buyer")
        #expect(refused.status == 77 && refused.errors.contains("‘report’"))
        #expect(try run("bike", "list", "--token-file", token, as: "buyer").output.contains("blue"))
        withExtendedLifetime(registry) {}
    }
}
