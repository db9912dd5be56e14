import Foundation
import Glibc
import Synchronization

/// A program beside the tests, killed with the last reference to it.
///
/// Foundation's `Process` and the handlers of its pipes were seen to wait for an end that had come. Here threads of their
/// own wait, in the plain calls of the system.
final class ChildProcess: Sendable {
    enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)

        /// The exit status or the signal's number.
        var status: Int32 {
            switch self {
            case .exited(let status), .killed(let status): status
            }
        }
    }

    private let id: pid_t
    /// Once it is known the process is no more, and its number may be another's.
    private let end = Mutex<End?>(nil)

    /// - Parameters:
    ///   - environment: all of it.
    ///   - errors: the tests' own output unless given.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], input: Descriptor, output: Descriptor,
        errors: Descriptor? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.number, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.number, STDOUT_FILENO)
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors.number, STDERR_FILENO) }
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        id = try Self.strings([path] + arguments) { arguments in
            try Self.strings(environment.map { "\($0)=\($1)" }) { environment in
                var id: pid_t = 0
                errno = posix_spawn(&id, path, &actions, &attributes, arguments, environment)
                guard errno == 0 else { throw Descriptor.Failure("starting \(path)") }
                return id
            }
        }
    }

    deinit {
        guard end.withLock(\.self) == nil else { return }
        kill(id, SIGKILL)
        Thread.detachNewThread { [id] in waitpid(id, nil, 0) }
    }

    func send(_ signal: Int32) {
        end.withLock { if $0 == nil { kill(id, signal) } }
    }

    /// Waits for the end, and holds up the thread meanwhile.
    @discardableResult
    func wait() -> End {
        // Leaves the process to be reaped under the lock, so that no signal is sent to another's number.
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return end.withLock { end in
            let known = end ?? reap()
            end = known
            return known
        }
    }

    func ended() async -> End {
        await withCheckedContinuation { ended in
            Thread.detachNewThread { ended.resume(returning: self.wait()) }
        }
    }

    private func reap() -> End {
        var status: Int32 = 0
        waitpid(id, &status, 0)
        // wait(2): WIFSIGNALED, WTERMSIG, WEXITSTATUS, which are macros.
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }

    /// Signals as a shell leaves them: Dispatch's threads block nearly all, and a child inherits that.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    /// Lends strings as C wants them: an array that ends with nil.
    private static func strings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return try body(copies + [nil])
    }
}
