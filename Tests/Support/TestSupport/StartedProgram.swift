import Foundation
import Glibc
import Synchronization

/// A program that runs next to the test: its output lines, including errors, can be awaited, and it can be interrupted
/// as by Ctrl-C.
public final class StartedProgram: Sendable {
    private let path: String
    private let process: ChildProcess
    private let lines: AsyncStream<String>
    private let output = Output()

    /// Everything that the program has written. It does not belong to the program's handle: the thread that reads would
    /// keep the handle, whose end kills the program.
    private final class Output: Sendable {
        let state = Mutex((text: "", isComplete: false))
    }

    /// The longest wait for a line, more than a busy machine needs.
    private static let patience = Duration.seconds(240)

    public init(_ program: BuiltProgram, _ arguments: [String], environment: [String: String] = [:]) throws {
        path = program.path
        let (reading, writing) = try Descriptor.pipe()
        process = try ChildProcess(
            program.path, arguments, environment: BuiltProgram.environment(environment),
            input: Descriptor(reading: "/dev/null"), output: writing, errors: writing)
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        Thread.detachNewThread { [output] in
            var reader = LineReader(reading)
            while let line = reader.next() {
                output.state.withLock { $0.text += line + "\n" }
                continuation.yield(line)
            }
            output.state.withLock { $0.isComplete = true }
            continuation.finish()
        }
    }

    /// The next line that contains this text; nil if the program ends first, or does not write it for minutes: then its
    /// last output is on the standard error of the tests.
    public func line(containing text: String) async -> String? {
        let found = await withTaskGroup(of: String?.self) { group in
            group.addTask { await self.next(containing: text) }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next().flatMap(\.self)
        }
        if found == nil {
            let message = "\(path) did not write “\(text)”. \(lastOutput)\n"
            try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
        }
        return found
    }

    private func next(containing text: String) async -> String? {
        for await line in lines where line.contains(text) { return line }
        return nil
    }

    private var lastOutput: String { "Its last output:\n\(output.state.withLock { $0.text.suffix(4000) })" }

    /// Fails with the program's last output if it has ended.
    public func requireRunning() throws {
        guard output.state.withLock(\.isComplete) else { return }
        throw Peer.Failure(description: "\(path) has ended. \(lastOutput)")
    }

    /// Sends the signal of Ctrl-C.
    public func interrupt() { process.send(SIGINT) }

    /// Ends the program as a crash does.
    public func kill() { process.send(SIGKILL) }

    /// Sends the signal of ‘systemctl reload’.
    public func hangUp() { process.send(SIGHUP) }

    /// Waits for the end and returns the status and the complete output.
    public func end() async -> (status: Int32, output: String) {
        for await _ in lines {}
        let end = await process.ended()
        return (end.status, output.state.withLock(\.text))
    }
}
