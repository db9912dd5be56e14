import Foundation
import Glibc
import Synchronization

/// An external program that runs until it ends, or is killed together with all processes that it started.
public struct ExternalProgram: Sendable {
    /// How a run ended.
    public enum End: Hashable, Sendable, CustomStringConvertible {
        /// - Parameter status: the exit status, 0…255.
        case exited(_ status: Int32)
        /// A signal ended it, other than that of a timeout.
        case killed(signal: Int32)
        /// It ran for longer than its timeout, and was killed.
        case timedOut
        /// - Parameter code: the system's error number.
        case notStarted(code: Int32)

        /// The kind of end, as a label of metrics.
        public var kind: String {
            switch self {
            case .exited(0): "succeeded"
            case .exited, .killed: "failed"
            case .timedOut: "timedOut"
            case .notStarted: "notStarted"
            }
        }

        public var description: String {
            switch self {
            case .exited(let status): "ended with status \(status)"
            case .killed(let signal): "was terminated by signal \(signal)"
            case .timedOut: "took too long and was killed"
            case .notStarted(let code): "could not be started: \(String(cString: strerror(code)))"
            }
        }
    }

    /// The milliseconds between two looks at whether the program has ended, is late or is cancelled.
    private static let pollingInterval: Int32 = 50

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let timeout: Duration
    private let outputLimit: Int

    /// - Parameters:
    ///   - path: an absolute path, or a name that is looked up in this process’s PATH.
    ///   - arguments: the arguments, without the program's name.
    ///   - environment: the complete environment.
    ///   - timeout: the time after which the program and all processes that it started are killed.
    ///   - outputLimit: the maximum number of bytes of output that are kept; the rest is read and dropped.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String] = ["LC_ALL": "C.UTF-8"],
        timeout: Duration, outputLimit: Int = 4096
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.timeout = timeout
        self.outputLimit = outputLimit
    }

    /// Runs the program; returns how it ended, and its output, including standard error.
    ///
    /// - Throws: `CancellationError` once the program has been killed because the task was cancelled.
    public func run() async throws -> (end: End, output: String) {
        let isCancelled = Flag()
        let queue = DispatchQueue(label: "ExternalProgram")
        let (end, output) = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: runBlocking(isCancelled)) }
            }
        } onCancel: {
            isCancelled.value.store(true, ordering: .relaxed)
        }
        guard let end else { throw CancellationError() }
        return (end, output)
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    /// Runs the program in this thread; the end is nil if the run was cancelled.
    private func runBlocking(_ isCancelled: Flag) -> (End?, String) {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { return (.notStarted(code: errno), "") }
        defer { close(pipe[0]) }
        _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
        let spawned = Spawning.start(path, arguments, environment, output: pipe[1], errors: pipe[1], inOwnGroup: true)
        close(pipe[1])
        switch spawned {
        case .success(let id): return wait(for: id, output: pipe[0], isCancelled)
        case .failure(let error): return (.notStarted(code: error.code), "")
        }
    }

    /// Reads the output until the program has ended, or until it is late or cancelled and has been killed.
    private func wait(for id: pid_t, output descriptor: Int32, _ isCancelled: Flag) -> (End?, String) {
        var output = BoundedOutput(descriptor: descriptor, limit: outputLimit)
        let deadline = ContinuousClock.now + timeout
        var status: Int32 = 0
        while waitpid(id, &status, WNOHANG) != id {
            output.read(waiting: Self.pollingInterval)
            let isLate = ContinuousClock.now >= deadline
            guard isLate || isCancelled.value.load(ordering: .relaxed) else { continue }
            // The group belongs to the program, and exists until the program has been waited for.
            kill(-id, SIGKILL)
            waitpid(id, &status, 0)
            output.read(waiting: 0)
            return (isLate ? .timedOut : nil, output.text)
        }
        output.read(waiting: 0)
        return (Self.end(ofStatus: status), output.text)
    }

    /// The end in a status of wait(2), whose macros WTERMSIG and WEXITSTATUS Swift does not import.
    private static func end(ofStatus status: Int32) -> End {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}

/// The beginning of the output of a descriptor.
private struct BoundedOutput {
    let descriptor: Int32
    /// The number of bytes that are kept.
    let limit: Int
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    init(descriptor: Int32, limit: Int) {
        self.descriptor = descriptor
        self.limit = limit
    }

    var text: String {
        String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Reads the available data, or waits for it for at most this many milliseconds.
    mutating func read(waiting milliseconds: Int32) {
        // A descriptor of −1 is ignored (poll(2)): then this only waits.
        var entry = pollfd(fd: isAtEnd ? -1 : descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { isAtEnd = true }
        bytes += buffer.prefix(max(0, min(count, limit - bytes.count)))
    }
}
