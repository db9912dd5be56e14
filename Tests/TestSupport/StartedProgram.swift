import Foundation
import Glibc
import Synchronization

/// A program that runs beside the test: its lines, errors among them, can be waited for, and it can be interrupted as by
/// Ctrl-C.
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

    /// The next line with this text in it; nil where the program ended before.
    public func line(containing text: String) async -> String? {
        for await line in lines {
            heard.withLock { $0 += line + "\n" }
            if line.contains(text) { return line }
        }
        return nil
    }

    /// As Ctrl-C does.
    public func interrupt() { process.send(SIGINT) }

    /// As ‘systemctl reload’ does.
    public func hangUp() { process.send(SIGHUP) }

    /// Waits for the end; answers the status and all that was printed.
    public func end() async -> (status: Int32, output: String) {
        for await line in lines { heard.withLock { $0 += line + "\n" } }
        let end = await process.ended()
        return (end.status, heard.withLock(\.self))
    }
}
