public import Foundation
import Glibc
import Synchronization

/// The execution environment of a command (POSIX.1-2017, XCU 1.4): the program's name, the environment variables and the
/// standard streams.
///
/// A test replaces it, so that it can run many commands side by side in its own process.
public final class ExecutionEnvironment: Sendable {
    /// The environment of the command that runs in this task.
    @TaskLocal public static var current: ExecutionEnvironment = .process

    /// The process's own.
    private static let process = ExecutionEnvironment(
        program: ProcessInfo.processInfo.processName, variables: ProcessInfo.processInfo.environment,
        streams: StandardStreams(
            isTerminal: { isatty($0) == 1 },
            readLine: { Swift.readLine() },
            read: { (try? FileHandle.standardInput.read(upToCount: $0)) ?? nil },
            write: { console, data in data.withUnsafeBytes { StandardStreams.write($0, to: console.descriptor) } }),
        ownsProcess: true)

    /// The name that begins the command's remarks.
    public let program: String
    /// The environment variables.
    public let variables: [String: String]
    let streams: StandardStreams
    /// Whether the process runs only this command, which may then set what exists once per process: the signal handlers
    /// and the logging system.
    public let ownsProcess: Bool
    /// The warnings that this command has given.
    private let warnings = Mutex<Set<String>>([])
    private let namedServer = Mutex<String?>(nil)
    private let output = Mutex(Output())

    /// What became of standard output.
    private struct Output {
        /// The system's error number of the first failure; nil if all was written.
        var failure: Int32?
        /// See ``ExecutionEnvironment/note(loss:)``.
        var loss: String?
    }

    public init(
        program: String, variables: [String: String], streams: StandardStreams, ownsProcess: Bool
    ) {
        self.program = program
        self.variables = variables
        self.streams = streams
        self.ownsProcess = ownsProcess
    }

    /// The server that this command calls, and the setting or option that names it, for the message when it cannot be
    /// reached; nil until it is known.
    public var server: String? {
        get { namedServer.withLock { $0 } }
        set { namedServer.withLock { $0 = newValue } }
    }

    /// Whether this command gives this warning for the first time.
    public func isNew(_ warning: String) -> Bool { warnings.withLock { $0.insert(warning).inserted } }

    /// The loss of the command's output; nil if nothing was lost.
    public var outputFailure: OutputFailure? {
        output.withLock { output in output.failure.map { OutputFailure(code: $0, loss: output.loss) } }
    }

    /// Remembers what the command is about to print once.
    ///
    /// - Parameter loss: what the command has made and cannot show again, and how to revoke it; reported if the output
    ///   is lost.
    public func note(loss: String) { output.withLock { $0.loss = loss } }

    /// Writes to a stream. After a failure of standard output nothing more is written there, so that no part of a
    /// result is missing in its middle, and the task that writes is cancelled: the results have no reader.
    func write(_ console: Console, _ data: Data) {
        guard console == .output else {
            _ = streams.write(console, data)
            return
        }
        let hasFailed = output.withLock { output in
            if output.failure == nil { output.failure = streams.write(console, data) }
            return output.failure != nil
        }
        if hasFailed { withUnsafeCurrentTask { $0?.cancel() } }
    }
}

/// Why a command's output was lost.
public struct OutputFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number.
    public let code: Int32
    /// What the command made and could not show, and how to revoke it; nil if that is nothing.
    public let loss: String?

    public var description: String {
        // The number of a closed descriptor may have been reused for a descriptor that Dispatch opens before the
        // program's first line, such as a timer, which cannot be written.
        let isClosed = [EBADF, EINVAL].contains(code)
        let reason = isClosed ? "is closed" : "cannot be written: \(String(cString: strerror(code)))"
        return "standard output \(reason)" + (loss.map { "\n\($0)" } ?? "")
    }
}

/// Standard input, output and error.
public struct StandardStreams: Sendable {
    /// Whether the stream with this descriptor is a terminal.
    let isTerminal: @Sendable (Int32) -> Bool
    /// The next line of standard input; nil at its end.
    let readLine: @Sendable () -> String?
    /// At most this number of bytes of standard input; nil at its end.
    let read: @Sendable (Int) -> Data?
    /// Writes all bytes to standard output or standard error.
    ///
    /// - Returns: the system's error number; nil if all were written.
    let write: @Sendable (Console, Data) -> Int32?

    public init(
        isTerminal: @escaping @Sendable (Int32) -> Bool, readLine: @escaping @Sendable () -> String?,
        read: @escaping @Sendable (Int) -> Data?, write: @escaping @Sendable (Console, Data) -> Int32?
    ) {
        self.isTerminal = isTerminal
        self.readLine = readLine
        self.read = read
        self.write = write
    }

    /// Opens the descriptors of standard streams that are closed. Otherwise a file could get one of them, and the
    /// program's output would go into it. They are opened for the opposite direction, so reading or writing fails as
    /// with a closed descriptor.
    public static func openClosed() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all bytes, and waits while the descriptor accepts none: another program may have made it non-blocking.
    ///
    /// Foundation's `FileHandle.write` ends the program if the system refuses.
    ///
    /// - Returns: the system's error number; nil if all were written.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            } else if errno == EAGAIN {
                var events = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&events, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

/// Standard input of the current ``ExecutionEnvironment``.
public enum StandardInput {
    public static var isTerminal: Bool { ExecutionEnvironment.current.streams.isTerminal(STDIN_FILENO) }

    /// The next line without its end; nil at the end of the input.
    public static func line() -> String? { ExecutionEnvironment.current.streams.readLine() }

    /// The rest of the input, but at most this number of bytes; nil if nothing is left.
    public static func data(upTo limit: Int = .max) -> Data? { ExecutionEnvironment.current.streams.read(limit) }
}
