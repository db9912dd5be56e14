import Foundation
import HTTPClient
import PostgreSQLTestSupport
import RegistryAPI
import RegistryClient
import TestSupport
import Testing

/// A folder with the settings of registries on one PostgreSQL database, which waits for the disk as a real one.
struct PostgreSQLScene {
    let folder: TemporaryFolder
    let database: String
    private let registry: BuiltProgram

    private static let cluster = Task {
        try await PostgreSQLCluster(settings: ["fsync": "on", "full_page_writes": "on"])
    }

    static func cluster() async throws -> PostgreSQLCluster { try await cluster.value }

    /// Makes an empty database.
    init() async throws {
        folder = try TemporaryFolder()
        database = try await Self.cluster().database()
        registry = try BuiltProgram("findmybike-registry")
    }

    /// A copy of a database that nobody uses any more, as a backup is.
    static func copy(of database: String) async throws -> String {
        let cluster = try await cluster()
        let name = try #require(database.firstMatch(of: /\/(t_\w+)\?/)).output.1
        var attempts = 0
        while true {
            do {
                try await cluster.execute("CREATE DATABASE \(name)_copy TEMPLATE \(name)")
                return cluster.url("\(name)_copy")
            } catch {
                // The server notices the end of a connection a moment later.
                attempts += 1
                guard attempts < 30 else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Writes the settings of the registry with this name, and returns their path.
    func settings(_ name: String, _ more: String = "durability: single\n") throws -> String {
        try folder.write(
            """
            listen: 127.0.0.1:0
            database: \(database)
            journal: \(folder.file(name))
            identities:
              given: open
            \(more)
            """, to: "\(name).yaml")
    }

    func run(_ arguments: String...) async throws -> BuiltProgram.Result { try await registry.run(arguments) }

    /// Makes an operator and returns the token.
    func newOperator() async throws -> String {
        let made = try await run("operator", "create", "--config", try settings("operator"))
        #expect(made.status == 0, "\(made.errors)")
        return made.output.trimmingCharacters(in: .newlines)
    }

    func start(_ name: String) async throws -> KillableRegistry {
        try await KillableRegistry(settings: try settings(name), registry)
    }
}

/// A running registry that can be ended as by a crash.
struct KillableRegistry {
    let url: String
    private let process: StartedProgram
    private let id: String

    struct Unstarted: Error {
        let output: String
    }

    /// A shell says the number of the process that it becomes.
    init(settings: String, _ program: BuiltProgram) async throws {
        process = try StartedProgram(
            BuiltProgram(path: "/bin/sh"),
            ["-c", #"echo "process $$"; exec "$@""#, "sh", program.path, "serve", "--config", settings])
        let first = try #require(await process.line(containing: "process "))
        id = String(first.dropFirst("process ".count))
        let line = await process.line(containing: "] listening")
        guard let address = line?.firstMatch(of: /address=(\S+)/)?.output.1 else {
            throw Unstarted(output: await process.end().output)
        }
        url = "http://\(address)"
    }

    func connect(_ token: String? = nil) throws -> RegistryConnection {
        try RegistryConnection(url: url, token: token, http: try HTTPConnection())
    }

    /// SIGKILL; returns when the process is gone.
    func kill() async throws {
        _ = try await BuiltProgram(path: "/bin/kill").run(["-KILL", id])
        _ = await process.end()
    }

    func stop() async -> (status: Int32, output: String) {
        process.interrupt()
        return await process.end()
    }
}
