import Foundation
import HTTPClient
import PostgreSQLTestSupport
import RegistryAPI
import RegistryClient
import TestSupport
import Testing

@testable import findmybike_registry

/// A folder with the settings of registries on one PostgreSQL database, which waits for the disk as a real one.
struct PostgreSQLScene {
    let folder: TemporaryFolder
    let database: String

    private static let cluster = Task {
        try await PostgreSQLCluster(settings: ["fsync": "on", "full_page_writes": "on"])
    }

    static func cluster() async throws -> PostgreSQLCluster { try await cluster.value }

    /// Makes an empty database.
    init() async throws {
        folder = try TemporaryFolder()
        database = try await Self.cluster().database()
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

    /// Makes an operator and returns the token.
    func newOperator() async throws -> String {
        let made = await FindMyBikeRegistry.run(["operator", "create", "--config", try settings("operator")])
        #expect(made.status == 0, "\(made.errors)")
        return made.output.trimmingCharacters(in: .newlines)
    }

    func start(_ name: String) async throws -> KillableRegistry {
        try await KillableRegistry(settings: try settings(name))
    }
}

/// A running registry that can be ended as by a crash.
struct KillableRegistry {
    let url: String
    private let process: StartedProgram

    struct Unstarted: Error {
        let output: String
    }

    init(settings: String) async throws {
        process = try StartedProgram(try BuiltProgram("findmybike-registry"), ["serve", "--config", settings])
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
    func kill() async {
        process.kill()
        _ = await process.end()
    }

    func stop() async -> (status: Int32, output: String) {
        process.interrupt()
        return await process.end()
    }
}
