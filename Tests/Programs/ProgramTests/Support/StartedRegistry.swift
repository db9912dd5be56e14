import Foundation
import TestSupport
import Testing

/// The built registry in a process of its own, with the settings of a ``LiveRegistry``.
struct StartedRegistry {
    let url: String
    private let folder: TemporaryFolder
    private let process: StartedProgram

    /// - Parameters:
    ///   - folder: the folder of database and settings: registry.sqlite, registry.yaml.
    ///   - more: further settings.
    init(in folder: TemporaryFolder, _ more: String = "") async throws {
        try await self.init(in: folder, settings: try LiveRegistry.settings(in: folder, more))
    }

    /// - Parameter settings: the settings file.
    init(in folder: TemporaryFolder, settings: String) async throws {
        self.folder = folder
        process = try StartedProgram(
            try BuiltProgram("findmybike-registry"),
            ["serve", "--config", settings])
        let line = try #require(await process.line(containing: "] listening"))
        let address = try #require(line.firstMatch(of: /address=(\S+)/)).output.1
        url = "http://\(address)"
    }

    /// Somebody who uses this registry.
    func person(_ name: String) -> Person { Person(home: folder.file(name), url: url, at: self) }

    /// Ends the registry and returns everything that it logged.
    func stop() async -> String {
        process.interrupt()
        return await process.end().output
    }
}
