import Foundation
import TestSupport
import Testing

/// A separate instance of the built registry, which accepts given identities.
struct LiveRegistry {
    let url: String
    private let folder: TemporaryFolder
    private let process: StartedProgram

    /// - Parameters:
    ///   - folder: the folder of database and settings: registry.sqlite, registry.yaml.
    ///   - more: further settings.
    init(in folder: TemporaryFolder? = nil, _ more: String = "") async throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        let settings = try folder.write(
            "listen: 127.0.0.1:0\ndatabase: \(folder.path)/registry.sqlite\nidentities:\n  given: open\n\(more)",
            to: "registry.yaml")
        process = try StartedProgram(try BuiltProgram("findmybike-registry"), ["serve", "--config", settings])
        let line = try #require(await process.line(containing: "] listening"))
        let address = try #require(line.firstMatch(of: /address=(\S+)/)).output.1
        url = "http://\(address)"
    }

    /// Ends the registry and returns everything that it logged.
    func stop() async -> String {
        process.interrupt()
        return await process.end().output
    }
}
