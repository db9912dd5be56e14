import Glibc
package import PostgreSQL
import RegistryAPI
package import RegistryRules

/// The operator's requirement for the durability of a confirmed write.
public enum Durability: String, CaseIterable, Sendable {
    /// It survives the loss of the primary: a standby has it.
    case standby
    /// It survives a power loss of the only machine.
    case single
}

/// A PostgreSQL database as the settings describe it.
public struct PostgreSQLServer: Sendable {
    package private(set) var connection: ConnectionSettings
    private(set) var durability: Durability
    /// The beginning of the names of this process’s journals; nil if it keeps none.
    let journal: String?
    /// Whether the server must be durable. False only in tests, whose server does not wait for the disk.
    package var mustBeDurable = true
    /// How long the registry waits for a reply from the server, or for a connection, before it refuses a request. In
    /// whole seconds.
    package var patience = Duration.seconds(5)
    /// This machine's clock, which each group of changes compares with the database's. Tests replace it.
    package var clock = WallClock.system

    /// Reads the URL of a database. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - url: such as
    ///     `postgresql://findmybike@a,b/findmybike?sslmode=verify-full&passfile=/etc/findmybike/database`.
    ///   - journal: the beginning of the names of the journals’ files, whose folder must exist; nil to keep none.
    /// - Throws: ``PostgreSQLOpenError``.
    public init(url: String, durability: Durability, journal: String? = nil) throws {
        do {
            var connection = try ConnectionSettings(url)
            connection.session = Pools.session
            self.connection = connection
        } catch {
            throw PostgreSQLOpenError(error)
        }
        self.durability = durability
        self.journal = journal
    }

    /// The same database for a command, which must work even while there is no standby: after a restore, or to see what
    /// is wrong. A commit waits for the primary’s disk alone; a standby gets it later.
    public var withoutStandby: PostgreSQLServer {
        var server = self
        server.connection.session["synchronous_commit"] = "local"
        server.durability = .single
        return server
    }

    /// The servers, as in `db1:5432, db2:5432`.
    public var hosts: String { connection.hosts.map(\.summary).joined(separator: ", ") }

    /// Checks that a registry may use the database, without changing it.
    ///
    /// - Returns: a sentence about what was found.
    /// - Throws: ``PostgreSQLOpenError``.
    @discardableResult
    public func examine() throws -> String {
        try examineJournal()
        do {
            let connection = try Connection.open(connection, Deadlines(), timelines: Timelines())
            defer { connection.close() }
            return try examine(connection)
        } catch {
            throw PostgreSQLOpenError(error)
        }
    }

    /// Checks that the journals can be written.
    private func examineJournal() throws {
        guard let journal else { return }
        var folder = "."
        if let slash = journal.utf8.lastIndex(of: UInt8(ascii: "/")) {
            folder = slash == journal.startIndex ? "/" : String(journal[..<slash])
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw PostgreSQLOpenError.journal(folder: folder, message: String(cString: strerror(errno)))
        }
    }

    /// Why the server could lose what it confirms; nil if it keeps it.
    func risk(_ connection: Connection) throws -> PostgreSQLOpenError? {
        mustBeDurable ? try ServerFacts.read(from: connection, clock: clock).risk(durability) : nil
    }

    /// The same on a connection, without the journal.
    @discardableResult
    func examine(_ connection: Connection) throws -> String {
        let facts = try ServerFacts.read(from: connection, clock: .system)
        if mustBeDurable, let obstacle = facts.obstacle(durability) { throw obstacle }
        let plan = try Migration(connection: connection).examine()
        let tables =
            switch plan {
            case .nothing: "Its tables are up to date"
            case .newTables: "The first start makes its tables"
            case .changedTables: "The next start changes its tables"
            }
        let isAwaited =
            !facts.synchronousStandbyNames.isEmpty && ["on", "remote_apply"].contains(facts.synchronousCommit)
        let standby = isAwaited ? "it waits for a synchronous standby with each change" : "it waits for no standby"
        return "The database’s primary is \(connection.host.summary): PostgreSQL \(facts.version / 10_000), "
            + "\(standby). \(tables)."
    }
}
