import Foundation
import PostgreSQL
import PostgreSQLTestSupport
import RegistryRules
import RegistrySQL
import Testing

@testable import RegistryPostgreSQL

@Suite("Rights and tables of a database")
struct TableAccessTests {
    /// A new user, and the URL with which it uses the same database.
    private static func user(of url: String) async throws -> (name: String, url: String) {
        let name = "u_" + UUID().uuidString.replacing("-", with: "").lowercased()
        try await PostgreSQLCluster.shared().execute("CREATE ROLE \(name) LOGIN")
        return (name, url.replacing("//\(PostgreSQLCluster.user)@", with: "//\(name)@"))
    }

    private static func run(_ script: String, _ url: String) async throws {
        try await TestDatabase.connect(to: url) { try $0.runScript(script) }
    }

    private static func open(_ url: String) async throws -> PostgreSQLRegistryStore {
        try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
    }

    @Test("a database with another program’s tables is refused, and one of them is named")
    func foreign() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        try await Self.run("CREATE TABLE invoice (number bigint); CREATE SEQUENCE a", url)
        await #expect(throws: PostgreSQLOpenError.foreign(table: "invoice")) { _ = try await Self.open(url) }
        try await Self.run("DROP TABLE invoice; DROP SEQUENCE a", url)
        let store = try await Self.open(url)
        await store.close()
        // Other tables beside the registry's do no harm.
        try await Self.run("CREATE TABLE invoice (number bigint)", url)
        let again = try await Self.open(url)
        await again.close()
    }

    @Test("a user who cannot make the tables is refused")
    func unableToCreate() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        let user = try await Self.user(of: url)
        await #expect(throws: PostgreSQLOpenError.rights("CREATE on the schema public")) {
            _ = try await Self.open(user.url)
        }
        try await Self.run("GRANT CREATE ON SCHEMA public TO \(user.name)", url)
        let store = try await Self.open(user.url)
        await store.close()
    }

    @Test("a user who may not use a table is refused; a right that is lost later makes the storage unavailable")
    func unableToUse() async throws {
        try await TestDatabase.with { url in
            let user = try await Self.user(of: url)
            let rights = "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public"
            try await Self.run("GRANT \(rights) TO \(user.name)", url)
            try await Self.run("REVOKE INSERT, DELETE ON bike FROM \(user.name)", url)
            await #expect(throws: PostgreSQLOpenError.rights("INSERT, DELETE on the table bike")) {
                _ = try await Self.open(user.url)
            }
            try await Self.run("GRANT INSERT, DELETE ON bike TO \(user.name)", url)
            let store = try await Self.open(user.url)
            _ = try await store.missingListVersion()
            try await Self.run("REVOKE SELECT ON missing_list FROM \(user.name)", url)
            do {
                _ = try await store.missingListVersion()
                Issue.record("the table cannot be read")
            } catch DomainError.storageUnavailable(let reason) {
                #expect(reason.contains("missing_list"))
            }
            await store.close()
        }
    }
}
