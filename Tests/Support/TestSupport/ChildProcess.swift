import Foundation
import Glibc
import OperatingSystem
import Synchronization

/// A program that runs next to the tests, and is killed with the last reference to it.
///
/// Foundation's `Process` and its pipe handlers sometimes kept waiting after the process had ended. This class waits in
/// separate threads with plain system calls.
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
    /// Once this is set, the process is gone, and its number may be reused.
    private let end = Mutex<End?>(nil)

    /// - Parameters:
    ///   - environment: the complete environment.
    ///   - errors: the tests' own standard error by default.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], input: Descriptor, output: Descriptor,
        errors: Descriptor? = nil
    ) throws {
        let spawned = Spawning.start(
            path, arguments, environment, input: input.number, output: output.number, errors: errors?.number,
            inOwnGroup: false)
        switch spawned {
        case .success(let id): self.id = id
        case .failure(let failure):
            errno = failure.code
            throw Descriptor.Failure("starting \(path)")
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

    /// Waits for the end, and blocks the thread in the meantime.
    @discardableResult
    func wait() -> End {
        // The process is reaped under the lock, so that no signal is sent to another process with its number.
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
        // wait(2): WIFSIGNALED, WTERMSIG and WEXITSTATUS are macros.
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}
