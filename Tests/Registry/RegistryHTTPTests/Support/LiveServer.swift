import Foundation
import Hummingbird
import Logging
import NIOCore
import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistrySQLiteTestSupport
import RegistryTestSupport
import ServiceLifecycle
import TestSupport
import Testing

@testable import RegistryHTTP

extension ConnectionTimeouts {
    /// Timeouts that no test reaches, however slow the machine.
    static let patient = ConnectionTimeouts(
        header: .seconds(600), body: .seconds(600), idle: .seconds(600), write: .seconds(600)
    )
}

/// A registry that listens on its own port.
struct LiveServer: Sendable {
    let port: Int
    let operations: RegistryOperations
    /// Starts a graceful shutdown.
    let drain: @Sendable () async -> Void

    static func run(
        _ options: ServerOptions, services: [any Service] = [], publicURL: String? = nil, photos: PhotoLibrary? = nil,
        logger: Logger = .silent,
        _ test: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        var configured = RegistryOperations(store: store, logger: logger)
        configured.givenIdentities = .open
        configured.publicURL = publicURL
        configured.photos = photos
        let operations = configured
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = RegistryHTTPServer.buildApplication(
            operations: operations, host: "127.0.0.1", port: 0, options: options, logger: logger
        ) { continuation.yield($0.port ?? 0) }
        try await running(services + [application], ports) { port, group in
            try await test(LiveServer(port: port, operations: operations) { await group.triggerGracefulShutdown() })
        }
    }

    /// Runs services until a test ends, which begins when one of them has said on which port it listens.
    static func running(
        _ services: [any Service], _ ports: AsyncStream<Int>,
        _ test: @escaping @Sendable (_ port: Int, ServiceGroup) async throws -> Void
    ) async throws {
        let group = ServiceGroup(configuration: .init(services: services, logger: .silent))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                try await test(try #require(await ports.first { _ in true }), group)
                await group.triggerGracefulShutdown()
            }
            try await tasks.waitForAll()
        }
    }

    /// The result of a client's connection.
    struct Encounter: Decodable, Equatable {
        let status: Int
        let problem: String?
        let ended: Bool
    }

    /// Runs one of the clients in `Fixtures/clients.py`.
    func meet<Outcome: Decodable>(_ client: String, _ arguments: [String] = []) async throws -> Outcome {
        let result = try await BuiltProgram(path: "/usr/bin/env").run(
            ["python3", try Self.fixture("clients.py"), client, "\(port)"] + arguments
        )
        try #require(result.status == 0, "clients.py \(client): \(result.errors)")
        return try JSONDecoder().decode(Outcome.self, from: Data(result.output.utf8))
    }

    /// The result of a stream of an HTTP/2 connection. Error codes are those of RFC 9113, section 7.
    struct StreamEncounter: Decodable, Equatable {
        let status: Int
        let problem: String?
        /// The code with which the server reset the stream.
        let reset: Int?
        /// The code with which the server ended the connection.
        let goaway: Int?
        let ended: Bool

        init(_ status: Int = 0, problem: String? = nil, reset: Int? = nil, goaway: Int? = nil, ended: Bool = false) {
            self.status = status
            self.problem = problem.map { "urn:findmybike:problem:\($0)" }
            self.reset = reset
            self.goaway = goaway
            self.ended = ended
        }
    }

    /// Runs one of the clients in `Fixtures/http2.py`.
    func meetHTTP2(_ client: String, _ arguments: [String] = []) async throws -> StreamEncounter {
        let python = Repository.path(".build/venv/bin/python")
        let script = try Self.fixture("http2.py")
        let result = try await BuiltProgram(path: python).run([script, client, "\(port)"] + arguments)
        try #require(result.status == 0, "http2.py \(client): \(result.errors)")
        return try JSONDecoder().decode(StreamEncounter.self, from: Data(result.output.utf8))
    }

    static func fixture(_ name: String) throws -> String {
        let parts = name.split(separator: ".").map(String.init)
        return try #require(Bundle.module.path(forResource: parts[0], ofType: parts[1], inDirectory: "Fixtures"))
    }

    /// The status of curl's response, and the seconds of `Retry-After`.
    func curl(_ arguments: [String]) async throws -> (status: Int, retryAfter: Int?) {
        let result = try await BuiltProgram(path: "/usr/bin/curl").run(
            [
                "--silent", "--max-time", "30", "--output", "/dev/null", "--write-out",
                "%{http_code} %header{retry-after}",
            ]
                + arguments
        )
        let words = result.output.split(separator: " ").map { Int($0) ?? 0 }
        return (words.first ?? 0, words.count > 1 ? words[1] : nil)
    }
}
