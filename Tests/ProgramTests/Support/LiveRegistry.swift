import Foundation
import TestSupport
import Testing

/// A registry of its own, as it is built, that takes given identities.
struct LiveRegistry {
    let url: String
    private let folder: TemporaryFolder
    private let process: StartedProgram

    init() async throws {
        folder = try TemporaryFolder()
        let settings = try folder.write(
            "listen: 127.0.0.1:0\ndatabase: \(folder.path)/registry.sqlite\nidentities:\n  given: open\n",
            to: "registry.yaml")
        process = try StartedProgram(try BuiltProgram("findmybike-registry"), ["serve", "--config", settings])
        let line = try #require(await process.line(containing: "] listening"))
        let address = try #require(line.firstMatch(of: /address=(\S+)/)).output.1
        url = "http://\(address)"
    }
}
