import Foundation
import OperatingSystem
import PostgreSQL
import PostgreSQLTestSupport
import RegistryAPI
import RegistryPostgreSQL
import RegistryRules
import RegistrySQL
import Synchronization

/// Databases of the tests' server, with the registry's tables.
enum TestDatabase {
    /// Each store has several connections, of which the server allows 200.
    private static let stores = AsyncSemaphore(value: 12)

    static let quotas = Quotas(bikes: 10_000, openReports: 10_000)

    /// Databases that tests have left, with the rows of new ones: to make a database takes longer than most tests.
    private static let left = Mutex<[String]>([])

    /// Runs a test on a new database, and drops the database.
    static func with<Result>(
        _ body: (_ url: String) async throws -> Result
    ) async throws -> Result {
        await stores.wait()
        defer { stores.signal() }
        let cluster = try await PostgreSQLCluster.shared()
        let url = try await make(in: cluster)
        do {
            let result = try await body(url)
            try await drop(url, cluster)
            return result
        } catch {
            try await drop(url, cluster)
            throw error
        }
    }

    private static func make(in cluster: PostgreSQLCluster) async throws -> String {
        try await cluster.database(template: "registry") { url in
            try await PostgreSQLRegistryStore.open(try server(url)).close()
        }
    }

    /// Runs a test on a store whose database has the rows of a new one. The test must not change its tables.
    static func withStore(_ body: (PostgreSQLRegistryStore) async throws -> Void) async throws {
        try await withStores(1) { try await body($0[0]) }
    }

    /// Runs a test on two stores with one such database, as two processes have it.
    static func withTwoStores(
        _ body: (PostgreSQLRegistryStore, PostgreSQLRegistryStore) async throws -> Void
    ) async throws {
        try await withStores(2) { try await body($0[0], $0[1]) }
    }

    /// Runs a test on several stores with one such database, as several processes have.
    static func withStores(_ count: Int, _ body: ([PostgreSQLRegistryStore]) async throws -> Void) async throws {
        await self.stores.wait()
        defer { self.stores.signal() }
        let url = try await unused()
        var stores: [PostgreSQLRegistryStore] = []
        for _ in 0..<count {
            stores.append(try await PostgreSQLRegistryStore.open(try server(url), quotas: quotas))
        }
        func end() async throws {
            for store in stores { await store.close() }
            try await connect(to: url) { try $0.runScript(restoring) }
            left.withLock { $0.append(url) }
        }
        do {
            try await body(stores)
        } catch {
            try await end()
            throw error
        }
        try await end()
    }

    private static func unused() async throws -> String {
        if let url = left.withLock({ $0.popLast() }) { return url }
        let url = try await make(in: .shared())
        try await connect(to: url) { try $0.runScript(keeping) }
        return url
    }

    /// Copies the rows of a new database, and the state of its sequences.
    private static let keeping = """
        CREATE SCHEMA kept;
        CREATE SCHEMA kept_state;
        CREATE TABLE kept_state.sequence AS
            SELECT sequencename, start_value, last_value FROM pg_sequences WHERE schemaname = 'public';
        DO $$ DECLARE name text; has_rows boolean; BEGIN
            FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
                EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', name) INTO has_rows;
                IF has_rows THEN EXECUTE format('CREATE TABLE kept.%1$I AS TABLE public.%1$I', name); END IF;
            END LOOP;
        END $$
        """

    /// Deletes all rows, without triggers and foreign keys, and puts the copied ones in their place; the sequences begin
    /// again, because the store counts with them.
    private static let restoring = """
        DO $$ DECLARE name text; BEGIN
            SET LOCAL session_replication_role = replica;
            FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
                EXECUTE format('DELETE FROM public.%I', name);
            END LOOP;
            FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'kept' LOOP
                EXECUTE format('INSERT INTO public.%1$I OVERRIDING SYSTEM VALUE TABLE kept.%1$I', name);
            END LOOP;
            PERFORM setval(
                    CAST(format('public.%I', sequencename) AS regclass), coalesce(last_value, start_value),
                    last_value IS NOT NULL)
                FROM kept_state.sequence;
        END $$
        """

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
        let copy = try await cluster.copy(of: url)
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
