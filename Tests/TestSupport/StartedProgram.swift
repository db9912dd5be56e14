import Foundation
import Glibc
import Synchronization

/// A program that runs beside the test: its lines, errors among them, can be waited for, and it can be interrupted as by
/// Ctrl-C.
public final class StartedProgram: Sendable {
    private let process: Process
    private let lines: AsyncStream<String>
    private let heard = Mutex("")

    public init(_ program: BuiltProgram, _ arguments: [String], environment: [String: String] = [:]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: program.path)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        try process.run()
        let lineCutter = LineCutter(continuation)
        pipe.fileHandleForReading.readabilityHandler = { handle in
            if !lineCutter.take(handle.availableData) { handle.readabilityHandler = nil }
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The next line with this text in it; nil where the program ended before.
    public func line(containing text: String) async -> String? {
        for await line in lines {
            heard.withLock { $0 += line + "\n" }
            if line.contains(text) { return line }
        }
        return nil
    }

    /// As Ctrl-C does.
    public func interrupt() { kill(process.processIdentifier, SIGINT) }

    /// Waits for the end; answers the status and all that was printed.
    public func end() async -> (status: Int32, output: String) {
        for await line in lines { heard.withLock { $0 += line + "\n" } }
        process.waitUntilExit()
        return (process.terminationStatus, heard.withLock(\.self))
    }
}

/// Cuts what arrives into lines.
private final class LineCutter: Sendable {
    private let rest = Mutex(Data())
    private let lines: AsyncStream<String>.Continuation

    init(_ lines: AsyncStream<String>.Continuation) {
        self.lines = lines
    }

    /// False at the end, which is an empty piece.
    func take(_ data: Data) -> Bool {
        guard !data.isEmpty else {
            lines.finish()
            return false
        }
        rest.withLock { rest in
            rest += data
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                lines.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                rest = Data(rest[rest.index(after: end)...])
            }
        }
        return true
    }
}
