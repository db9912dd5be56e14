import Foundation
import Glibc
import Synchronization

/// A program that runs next to the test: its output lines, including errors, can be awaited, and it can be interrupted
/// as by Ctrl-C.
public final class StartedProgram: Sendable {
    private let process: ChildProcess
    private let lines: AsyncStream<String>
    private let heard = Mutex("")

    public init(_ program: BuiltProgram, _ arguments: [String], environment: [String: String] = [:]) throws {
        let (reading, writing) = try Descriptor.pipe()
        process = try ChildProcess(
            program.path, arguments, environment: BuiltProgram.environment(environment),
            input: Descriptor(reading: "/dev/null"), output: writing, errors: writing)
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        Thread.detachNewThread {
            var reader = LineReader(reading)
            while let line = reader.next() { continuation.yield(line) }
            continuation.finish()
        }
    }

    /// The next line that contains this text; nil if the program ends first.
    public func line(containing text: String) async -> String? {
        for await line in lines {
            heard.withLock { $0 += line + "\n" }
            if line.contains(text) { return line }
        }
        return nil
    }

    /// Sends the signal of Ctrl-C.
    public func interrupt() { process.send(SIGINT) }

    /// Sends the signal of ‘systemctl reload’.
    public func hangUp() { process.send(SIGHUP) }

    /// Waits for the end and returns the status and the complete output.
    public func end() async -> (status: Int32, output: String) {
        for await line in lines { heard.withLock { $0 += line + "\n" } }
        let end = await process.ended()
        return (end.status, heard.withLock(\.self))
    }
}
