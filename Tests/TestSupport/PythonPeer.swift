import Foundation

/// A Python program that plays the other side of a wire: it prints the port that it listens on as its first line.
public final class PythonPeer: Sendable {
    public let port: Int
    private let process: Process
    private let input: FileHandle

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameters:
    ///   - script: path of the Python file; standard library only, so that `apt-get install python3` is enough.
    ///   - arguments: its arguments.
    public init(_ script: String, _ arguments: [String] = []) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script] + arguments
        let output = Pipe()
        let input = Pipe()
        process.standardOutput = output
        process.standardInput = input  // the peer ends when this closes, even if the tests are killed
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n") {
            line += byte
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else {
            process.terminate()
            throw Failure(description: "\(script) did not start: install the Debian package python3")
        }
        self.process = process
        self.input = input.fileHandleForWriting
        self.port = port
    }

    deinit {
        try? input.close()
        process.terminate()
        process.waitUntilExit()
    }
}
