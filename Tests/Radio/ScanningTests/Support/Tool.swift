import Foundation
import TestSupport
import Testing

/// A system program that reads captures: the reference for the capture writer.
struct Tool {
    let name: String
    /// The Debian package that contains it.
    let package: String

    static let btmon = Tool(name: "btmon", package: "bluez")
    static let tshark = Tool(name: "tshark", package: "tshark")

    /// Returns the program's standard output; throws unless the program exists and exits with 0.
    func output(_ arguments: [String]) async throws -> String {
        let path = try #require(
            path, "\(name) is not installed; install the Debian package ‘\(package)’ (apt-get install \(package))")
        let result = try await BuiltProgram(path: path).run(arguments)
        #expect(result.status == 0, "\(name) \(arguments.joined(separator: " ")): \(result.errors)")
        return result.output
    }

    private var path: String? {
        let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }
}
