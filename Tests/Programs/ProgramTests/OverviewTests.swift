import Foundation
import RegistryAPI
import TestSupport
import Testing

@Suite("findmybike operator overview and session, at a running registry", .timeLimit(.minutes(20)))
struct OverviewTests {
    @Test("an operator sees the registry's state, the references to confirm and the browsers that are signed in")
    func overview() async throws {
        let folder = try TemporaryFolder()
        let token = try await LiveRegistry.newOperator(in: folder)
        let registry = try await LiveRegistry(in: folder, "publicURL: http://localhost\n")
        let (owner, chief) = (registry.person("owner"), registry.person("operator"))
        try await owner.becomeOwner()
        _ = try await owner.output("bike", "missing", "--police-reference", "CAD 4711/21")
        _ = try await chief.output("login", registry.url, input: token)
        let before = try await chief.output("operator", "overview")
        #expect(before.contains("0 listening, 0 not hearing, 0 silent, 0 new, 0 revoked"))
        #expect(before.contains("none known"))
        let backup = try await BuiltProgram("findmybike-registry").run(
            ["backup", folder.file("backup.sqlite"), "--config", folder.file("registry.yaml")])
        #expect(backup.status == 0 && !backup.errors.contains("warning"), "\(backup.errors)")
        let after = try await chief.output("operator", "overview")
        #expect(after.contains("0 min ago") && !after.contains("none known"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("registry.sqlite.backed-up"))
        #expect(mode[.posixPermissions] as? Int == 0o600)
        let overview: Overview = try await chief.value("operator", "overview")
        #expect(overview.missingList.bikes == 1 && overview.missingList.entries == 1)
        #expect(overview.reviews.references.count == 1 && overview.backup != nil)
        #expect(try await chief.output("report", "references").contains("CAD 4711/21"))
        // The search is not closed, and one of today would count from tomorrow on.
        #expect(try await chief.output("operator", "searches").contains("0 searches ended before"))
        let closed: ClosedSearches = try await chief.value("operator", "searches")
        #expect(closed.searches == 0 && closed.counts.isEmpty)

        let signIn = try await BuiltProgram(path: "/usr/bin/curl").run([
            "--silent", "--fail", "--header", "Sec-Fetch-Site: same-origin",
            "--json", #"{"name":"Firefox","token":"\#(token)"}"#, "\(registry.url)/v1/desk/session",
        ])
        #expect(signIn.status == 0, "\(signIn.errors)")
        #expect(try await chief.output("operator", "session", "list").contains("Firefox"))
        #expect(try await chief.output("operator", "session", "revoke", "firefox", "--yes").contains("signed out"))
        #expect(!(try await chief.output("operator", "session", "list").contains("Firefox")))
        _ = try await chief.output("operator", "passkey", "list")
    }
}
