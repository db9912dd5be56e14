import Foundation
import Glibc
import PostgreSQL
import Synchronization
public import TestSupport

/// A server of PostgreSQL with a data folder of its own. It ends with the tests, even if they are killed.
public final class PostgreSQLCluster: Sendable {
    /// The superuser, whom the server trusts on its Unix socket.
    public static let user = "findmybike"

    public let folder: TemporaryFolder
    /// The port on 127.0.0.1; on the Unix socket it is a part of the file's name.
    public let port: Int
    private let isOnTCP: Bool
    private let server = Mutex<ServerProcess?>(nil)
    private let administration: ConnectionPool
    private let templates = Mutex<[String: Task<Void, any Error>]>([:])

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private static let common = Task { try await PostgreSQLCluster() }

    /// The server that all tests of this run share. Each should use a database of its own.
    public static func shared() async throws -> PostgreSQLCluster { try await common.value }

    /// Makes a data folder and starts a server.
    ///
    /// - Parameters:
    ///   - settings: of the server, such as `max_prepared_transactions`, in addition to those for speed.
    ///   - isOnTCP: whether it also listens on 127.0.0.1.
    ///   - prepare: changes the folder before the first start.
    public convenience init(
        settings: [String: String] = [:], isOnTCP: Bool = false,
        prepare: @Sendable (PostgreSQLCluster) async throws -> Void = { _ in }
    ) async throws {
        try self.init(stoppedAndOnTCP: isOnTCP)
        try ServerFiles.makeOwn(folder.path)
        try await ServerFiles.run(
            "initdb", ["-D", data, "-U", Self.user, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"])
        try configure(settings)
        try await prepare(self)
        try await start()
    }

    private init(stoppedAndOnTCP isOnTCP: Bool) throws {
        folder = try TemporaryFolder()
        self.isOnTCP = isOnTCP
        port = try ReservedPort().number
        let url = "postgresql://\(Self.user)@/postgres?host=\(folder.path)&port=\(port)"
        administration = ConnectionPool(
            try ConnectionSettings(url), Deadlines(roundTrip: .seconds(120)),
            limits: .init(connections: 1, waitingTime: .seconds(120)), label: "administration")
    }

    /// A standby of this server that follows it, and can be promoted.
    public func standby() async throws -> PostgreSQLCluster {
        let standby = try PostgreSQLCluster(stoppedAndOnTCP: isOnTCP)
        try ServerFiles.makeOwn(standby.folder.path)
        try await ServerFiles.run(
            "pg_basebackup",
            ["-h", folder.path, "-p", "\(port)", "-U", Self.user, "-D", standby.data, "-R", "-c", "fast", "-N"])
        try standby.configure([:])
        try await standby.start()
        return standby
    }

    public var data: String { folder.file("data") }

    /// The URL of a database on the Unix socket.
    public func url(_ database: String = "postgres") -> String {
        "postgresql://\(Self.user)@/\(database)?host=\(folder.path)&port=\(port)"
    }

    /// The URL of a new, empty database.
    public func database() async throws -> String { try await database(copying: "template0") }

    /// The URL of a new copy of a database that is made once and prepared by the given function. It must close its
    /// connections.
    public func database(
        template: String, prepare: @escaping @Sendable (_ url: String) async throws -> Void
    ) async throws -> String {
        let made = templates.withLock { templates in
            let made =
                templates[template]
                ?? Task {
                    try await self.execute("CREATE DATABASE \"\(template)\" TEMPLATE template0")
                    try await prepare(self.url(template))
                }
            templates[template] = made
            return made
        }
        try await made.value
        return try await database(copying: template)
    }

    private func database(copying template: String) async throws -> String {
        let name = "t_" + UUID().uuidString.replacing("-", with: "").lowercased()
        try await execute("CREATE DATABASE \(name) TEMPLATE \"\(template)\"")
        return url(name)
    }

    /// The URL of a copy of a database that is no longer used, as a backup is.
    public func copy(of database: String) async throws -> String {
        let name = try ConnectionSettings(database).database
        // The server notices the end of a connection a moment later.
        try await eventually("nobody uses \(name)") {
            do {
                try await execute("CREATE DATABASE \(name)_copy TEMPLATE \(name)")
                return true
            } catch let error as PostgreSQLError where error.state == "55006" {
                return false
            }
        }
        return url("\(name)_copy")
    }

    /// Runs a script as the superuser in the database `postgres`.
    public func execute(_ script: String) async throws {
        try await administration.use { try $0.runScript(script) }
    }

    /// Writes a file that only the server may read, and returns its path.
    public func write(_ text: String, to name: String) throws -> String {
        let path = try folder.write(text, to: name)
        guard chmod(path, 0o600) == 0 else { throw Failure(description: "chmod \(path)") }
        try ServerFiles.makeOwn(path)
        return path
    }

    private func configure(_ settings: [String: String]) throws {
        let base = [
            "unix_socket_directories": folder.path, "listen_addresses": isOnTCP ? "127.0.0.1" : "", "port": "\(port)",
            "fsync": "off", "full_page_writes": "off", "max_connections": "200", "wal_keep_size": "64MB",
        ]
        let lines = base.merging(settings) { $1 }.sorted { $0.key < $1.key }.map { "\($0) = '\($1)'\n" }
        try ServerFiles.append(lines.joined(), to: data + "/postgresql.conf")
    }

    /// Starts the server, and returns when it accepts connections.
    public func start() async throws {
        let process = try ServerProcess(data: data, log: folder.file("log"), folder: folder.path)
        server.withLock { $0 = process }
        do {
            try await eventually("PostgreSQL accepts connections") {
                try await ServerFiles.status("pg_isready", ["-q", "-h", folder.path, "-p", "\(port)"]) == 0
            }
        } catch {
            let log = (try? String(contentsOfFile: folder.file("log"), encoding: .utf8)) ?? ""
            throw Failure(description: "PostgreSQL did not start: \(error). Its log: \(log.suffix(4000))")
        }
    }

    /// Ends the server immediately, as a crash would, and waits for its end.
    public func stop() async {
        let process = server.withLock { server in
            defer { server = nil }
            return server
        }
        await process?.end()
    }

    /// Makes a standby the primary, with a new timeline.
    public func promote() async throws {
        try await ServerFiles.run("pg_ctl", ["promote", "-D", data, "-w"])
    }
}
