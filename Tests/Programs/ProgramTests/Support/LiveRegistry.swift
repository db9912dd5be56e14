import Foundation
import Logging
import PhotoFiles
import ServiceLifecycle
import Settings
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import findmybike_registry

/// A registry with all services of `findmybike-registry serve`, in the test's process, which accepts given identities.
///
/// This process must not open the database besides: closing any descriptor of a file releases SQLite's locks on it
/// (POSIX.1-2017, `fcntl`). A program of its own may.
final class LiveRegistry: Sendable {
    let url: String
    let folder: TemporaryFolder
    private let log: LogRecord
    /// Nil after its end, so that another registry can lock the database.
    private let service: Mutex<RegistryService?>

    /// - Parameters:
    ///   - folder: the folder of database and settings: registry.sqlite, registry.yaml.
    ///   - more: further settings.
    init(in folder: TemporaryFolder? = nil, _ more: String = "") async throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        let log = LogRecord()
        self.log = log
        service = Mutex(try await RegistryService(settings: try Self.settings(in: folder, more), log))
        let line = try #require(await log.line(containing: "] listening"))
        let address = try #require(line.firstMatch(of: /address=(\S+)/)).output.1
        url = "http://\(address)"
    }

    deinit { service.withLock { $0?.cancel() } }

    /// Writes the settings, and returns their path.
    static func settings(in folder: TemporaryFolder, _ more: String = "") throws -> String {
        try folder.write(
            "listen: 127.0.0.1:0\ndatabase: \(folder.path)/registry.sqlite\nidentities:\n  given: open\n\(more)",
            to: "registry.yaml")
    }

    /// Makes an operator before the registry starts, and returns the token.
    static func newOperator(in folder: TemporaryFolder) async throws -> String {
        let created = await FindMyBikeRegistry.run([
            "operator", "create", "--database", folder.file("registry.sqlite"),
        ])
        try #require(created.status == 0, "\(created.errors)")
        return created.output.trimmingCharacters(in: .newlines)
    }

    /// Somebody who uses this registry.
    func person(_ name: String) -> Person { Person(home: folder.file(name), url: url, at: self) }

    /// Ends the registry and returns everything that it logged.
    func stop() async -> String {
        await service.withLock { $0.take() }?.stop()
        return log.text
    }
}

/// The services of a registry, until they are stopped.
private struct RegistryService: Sendable {
    private let group: ServiceGroup
    private let end: Task<Void, any Error>

    init(settings path: String, _ log: LogRecord) async throws {
        let settings = try ProgramSettings(known: RegistrySettings.all, file: path, arguments: [:], environment: [:])
        let level = ServeCommand.logLevel(settings)
        let logger = Logger(label: "findmybike-registry") {
            LogLines(label: $0, level: level, style: nil) { log.add($0) }
        }
        let services = try await ServeCommand.services(
            settings, try RegistryParts(settings),
            converter: IsolatedConverter(program: try BuiltProgram("findmybike-registry").path), logger)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: logger))
        self.group = group
        end = Task {
            defer { log.end() }
            try await group.run()
        }
    }

    func cancel() { end.cancel() }

    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await end.result
    }
}

/// Lines of a log, which can be awaited.
private final class LogRecord: Sendable {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let all = Mutex("")

    init() {
        (lines, continuation) = AsyncStream.makeStream(of: String.self)
    }

    var text: String { all.withLock(\.self) }

    func add(_ line: String) {
        all.withLock { $0 += line }
        continuation.yield(line)
    }

    func end() { continuation.finish() }

    /// The next line that contains this text; nil if the log ends first.
    func line(containing text: String) async -> String? { await lines.first { $0.contains(text) } }
}
