import Foundation
import TestSupport
import Testing

/// A program of the system that reads captures: the judge of what is written.
struct Tool {
    let name: String
    /// The Debian package that has it.
    let package: String

    static let btmon = Tool(name: "btmon", package: "bluez")
    static let tshark = Tool(name: "tshark", package: "tshark")

    /// What the program writes to its standard output; fails unless it is there and exits with 0.
    func output(_ arguments: [String], in folder: TemporaryFolder) async throws -> String {
        let process = Process()
        let executable: URL = try #require(
            path,
            "\(name) is not installed; install the Debian package ‘\(package)’ (apt-get install \(package))"
        )
        process.executableURL = executable
        process.arguments = arguments
        let file = folder.file("\(name).txt")
        try Data().write(to: URL(filePath: file))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: file))
        process.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
        #expect(process.terminationStatus == 0, "\(name) \(arguments.joined(separator: " "))")
        return try String(contentsOf: URL(filePath: file), encoding: .utf8)
    }

    private var path: URL? {
        let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
        return folders.map { URL(filePath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
    }
}
