import Concurrency
import Foundation
import PostgreSQL
import PostgreSQLTestSupport
import Registry
import RegistryAPI
import RegistryPostgreSQL

/// Databases of the tests' server, with the registry's tables.
enum TestDatabase {
    /// Each store has several connections, of which the server allows 200.
    private static let stores = AsyncSemaphore(value: 12)

    static let quotas = Quotas(bikes: 10_000, openReports: 10_000)

    /// Runs a test on a new database, and drops the database.
    static func with<Result>(
        _ body: (_ url: String) async throws -> Result
    ) async throws -> Result {
        await stores.wait()
        defer { stores.signal() }
        let cluster = try await PostgreSQLCluster.shared()
        let url = try await cluster.database(template: "registry") { url in
            try await PostgreSQLRegistryStore.open(try server(url)).close()
        }
        do {
            let result = try await body(url)
            try await drop(url, cluster)
            return result
        } catch {
            try await drop(url, cluster)
            throw error
        }
    }

    /// Runs a test on a store with a new database.
    static func withStore<Result>(
        _ body: (PostgreSQLRegistryStore) async throws -> Result
    ) async throws -> Result {
        try await with { url in
            let store = try await PostgreSQLRegistryStore.open(try server(url), quotas: quotas)
            do {
                let result = try await body(store)
                await store.close()
                return result
            } catch {
                await store.close()
                throw error
            }
        }
    }

    /// Runs a test on several stores with one new database, as several processes have.
    static func withStores<Result>(
        _ count: Int, _ body: ([PostgreSQLRegistryStore]) async throws -> Result
    ) async throws -> Result {
        try await with { url in
            var stores: [PostgreSQLRegistryStore] = []
            for _ in 0..<count {
                stores.append(try await PostgreSQLRegistryStore.open(try server(url), quotas: quotas))
            }
            do {
                let result = try await body(stores)
                for store in stores { await store.close() }
                return result
            } catch {
                for store in stores { await store.close() }
                throw error
            }
        }
    }

    /// Runs a test on two stores with one new database, as two processes have it.
    static func withTwoStores<Result>(
        _ body: (PostgreSQLRegistryStore, PostgreSQLRegistryStore) async throws -> Result
    ) async throws -> Result {
        try await withStores(2) { try await body($0[0], $0[1]) }
    }

    /// Runs a test on a connection to a new database.
    static func withConnection<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await with { url in
            let pool = ConnectionPool(try server(url).connection, limits: .init(connections: 1))
            let result = await Task { try await pool.use(body) }.result
            await pool.shutDown()
            return try result.get()
        }
    }

    /// Runs a test on a copy of a database, to which nobody is connected: a backup.
    static func copying<Result>(
        _ url: String, _ body: (_ copy: String) async throws -> Result
    ) async throws -> Result {
        let cluster = try await PostgreSQLCluster.shared()
        let name = try ConnectionSettings(url).database
        // The server notices the end of a connection a moment later.
        _ = try await eventually {
            do {
                try await cluster.execute("CREATE DATABASE \(name)_copy TEMPLATE \(name)")
                return true
            } catch let error as PostgreSQLError where error.state == "55006" {
                return false
            }
        }
        let copy = cluster.url("\(name)_copy")
        do {
            let result = try await body(copy)
            try await drop(copy, cluster)
            return result
        } catch {
            try await drop(copy, cluster)
            throw error
        }
    }

    /// Runs statements on a connection of their own, on a thread of its own: they block.
    static func connect<Result: Sendable>(
        to url: String, _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        let settings = try server(url).connection
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Swift.Result {
                        let connection = try Connection.open(
                            settings, Deadlines(connect: .seconds(60), roundTrip: .seconds(60)), timelines: Timelines())
                        defer { connection.close() }
                        return try body(connection)
                    })
            }
        }
    }

    /// Waits until a condition holds, for at most two minutes.
    static func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<6000 {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// The tests’ server does not wait for the disk.
    static func server(_ url: String, journal: String? = nil) throws -> PostgreSQLServer {
        var server = try PostgreSQLServer(url: url, durability: .single, journal: journal)
        server.mustBeDurable = false
        // Many tests share a machine that may be busy with others.
        server.patience = .seconds(120)
        return server
    }

    private static func drop(_ url: String, _ cluster: PostgreSQLCluster) async throws {
        try await cluster.execute("DROP DATABASE \(try ConnectionSettings(url).database) WITH (FORCE)")
    }
}
