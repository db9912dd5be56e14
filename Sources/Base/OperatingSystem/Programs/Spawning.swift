import Foundation
package import Glibc

/// Starts programs that inherit nothing from this process except what is passed to them.
package enum Spawning {
    /// The program was not started; the code is the system's error number.
    package struct Failure: Error {
        package let code: Int32
    }

    /// Starts a program, which the caller must wait for (waitpid(2)).
    ///
    /// - Parameters:
    ///   - path: an absolute path, or a name that is looked up in this process’s PATH.
    ///   - arguments: the arguments, without the program's name.
    ///   - environment: the complete environment.
    ///   - input: the descriptor of the standard input; empty unless given.
    ///   - output: the descriptor of the standard output.
    ///   - errors: the standard error; this process's unless given.
    ///   - inOwnGroup: whether the program leads a new process group, so that it can be killed with its own children.
    /// - Returns: the process's identifier.
    package static func start(
        _ path: String, _ arguments: [String], _ environment: [String: String], input: Int32? = nil, output: Int32,
        errors: Int32?, inOwnGroup: Bool
    ) -> Result<pid_t, Failure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
        closeDescriptorsOnExec()
        var attributes = attributes(inOwnGroup: inOwnGroup)
        defer { posix_spawnattr_destroy(&attributes) }
        var id: pid_t = 0
        let code = strings([path] + arguments) { arguments in
            strings(environment.map { "\($0)=\($1)" }) { environment in
                posix_spawnp(&id, path, &actions, &attributes, arguments, environment)
            }
        }
        return code == 0 ? .success(id) : .failure(Failure(code: code))
    }

    /// The attributes, with signals reset as in a shell: Dispatch's threads block nearly all signals, some are ignored
    /// in this process, and a child inherits both.
    private static func attributes(inOwnGroup: Bool) -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }

    /// Marks descriptors as close-on-exec, since not every library does (posix_spawn(3) has a function for this, but
    /// Swift's module of the C library does not contain it).
    private static func closeDescriptorsOnExec() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in names.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Calls `body` with strings in C's form: an array that ends with nil.
    private static func strings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
