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
    ///   - script: path of the Python file.
    ///   - arguments: its arguments.
    ///   - interpreter: the Python that runs it; without one only the standard library is at hand.
    ///   - remedy: what to do if it does not start.
    public init(
        _ script: String, _ arguments: [String] = [], interpreter: String? = nil,
        remedy: String = "install the Debian package python3"
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: interpreter ?? "/usr/bin/env")
        process.arguments = (interpreter == nil ? ["python3"] : []) + [script] + arguments
        let output = Pipe()
        let input = Pipe()
        process.standardOutput = output
        process.standardInput = input  // the peer ends when this closes, even if the tests are killed
        do {
            try process.run()
        } catch {
            throw Failure(description: "\(script) did not start (\(error)): \(remedy)")
        }
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n") {
            line += byte
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else {
            process.terminate()
            throw Failure(description: "\(script) did not start: \(remedy)")
        }
        self.process = process
        self.input = input.fileHandleForWriting
        self.port = port
    }

    deinit {
        try? input.close()
        // Without waiting: Foundation waits with select(2), for ever where the process has more than 1024 descriptors.
        process.terminate()
    }
}
