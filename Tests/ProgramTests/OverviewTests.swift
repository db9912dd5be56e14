import Foundation
import RegistryAPI
import TestSupport
import Testing

@Suite("findmybike operator overview and session, at a running registry", .timeLimit(.minutes(20)))
struct OverviewTests {
    @Test("an operator sees the registry's state, the references to confirm and the browsers that are signed in")
    func overview() async throws {
        let folder = try TemporaryFolder()
        let settings = try folder.write("database: \(folder.file("registry.sqlite"))\n", to: "operator.yaml")
        let server = try BuiltProgram("findmybike-registry")
        let token = try await server.run(["operator", "create", "--config", settings]).output
        let registry = try await LiveRegistry(in: folder, "publicURL: http://localhost\n")
        func run(_ arguments: String..., home: String = "operator", input: String? = nil) async throws -> String {
            let result = try await BuiltProgram("findmybike").run(
                arguments, environment: ["HOME": folder.file(home), "FINDMYBIKE_REGISTRY_URL": registry.url],
                input: input)
            try #require(result.status == 0, "\(arguments): \(result.errors)")
            return result.output
        }
        _ = try await run("owner", "create", home: "owner")
        _ = try await run(
            "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red", home: "owner")
        _ = try await run("bike", "missing", "--police-reference", "CAD 4711/21", home: "owner")
        _ = try await run("login", registry.url, input: token)
        let before = try await run("operator", "overview")
        #expect(before.contains("0 listening, 0 not hearing, 0 silent, 0 new, 0 revoked"))
        #expect(before.contains("none known"))
        let backup = try await server.run(
            ["backup", folder.file("backup.sqlite"), "--config", settings])
        #expect(backup.status == 0 && !backup.errors.contains("warning"), "\(backup.errors)")
        let after = try await run("operator", "overview")
        #expect(after.contains("0 min ago") && !after.contains("none known"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("registry.sqlite.backed-up"))
        #expect(mode[.posixPermissions] as? Int == 0o600)
        let json = Data(try await run("operator", "overview", "--json").utf8)
        let overview = try JSONDecoder().decode(Overview.self, from: json)
        #expect(overview.missingList.bikes == 1 && overview.missingList.entries == 1)
        #expect(overview.reviews.references.count == 1 && overview.backup != nil)
        #expect(try await run("report", "references").contains("CAD 4711/21"))

        let signIn = try await BuiltProgram(path: "/usr/bin/curl").run([
            "--silent", "--fail", "--header", "Sec-Fetch-Site: same-origin",
            "--json", #"{"name":"Firefox","token":"\#(token.trimmingCharacters(in: .whitespacesAndNewlines))"}"#,
            "\(registry.url)/v1/desk/session",
        ])
        #expect(signIn.status == 0, "\(signIn.errors)")
        #expect(try await run("operator", "session", "list").contains("Firefox"))
        #expect(try await run("operator", "session", "revoke", "firefox", "--yes").contains("signed out"))
        #expect(!(try await run("operator", "session", "list").contains("Firefox")))
        _ = try await run("operator", "passkey", "list")
        _ = await registry.stop()
    }
}
