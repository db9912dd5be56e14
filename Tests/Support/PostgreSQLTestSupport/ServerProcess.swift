import Foundation
import Glibc
import OperatingSystem

/// A running server. A shell waits for the end of its input, which comes when this process closes it or ends in any
/// way, and then ends the server.
final class ServerProcess: Sendable {
    private let shell: pid_t
    private let input: Int32

    /// SIGQUIT ends the server and its children immediately. The folder is removed if no other process is left to do it.
    private static let script = """
        folder=$1 log=$2; shift 2
        "$@" >>"$log" 2>&1 </dev/null & server=$!
        read -r word
        kill -QUIT $server; wait $server
        [ "$word" = keep ] || rm -rf "$folder"
        """

    init(data: String, log: String, folder: String) throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        guard socketpair(AF_UNIX, type, 0, &ends) == 0, null >= 0 else {
            throw PostgreSQLCluster.Failure(description: "no descriptors")
        }
        defer { close(ends[0]) }
        input = ends[1]
        let command = ServerFiles.elevation + ["\(try ServerFiles.programs())/postgres", "-D", data]
        let started = Spawning.start(
            "/bin/sh", ["-c", Self.script, "sh", folder, log] + command,
            ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], input: ends[0], output: null, errors: null, inOwnGroup: true)
        switch started {
        case .success(let id): shell = id
        case .failure(let failure):
            close(ends[1])
            let reason = String(cString: strerror(failure.code))
            throw PostgreSQLCluster.Failure(description: "starting PostgreSQL: \(reason)")
        }
    }

    deinit {
        close(input)
        // Without a wait, so that the process does not remain as a zombie.
        Thread.detachNewThread { [shell] in waitpid(shell, nil, 0) }
    }

    /// Ends the server and keeps its folder.
    func end() async {
        _ = "keep\n".utf8CString.withUnsafeBytes { send(input, $0.baseAddress, 5, Int32(MSG_NOSIGNAL)) }
        let shell = shell
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // Leaves the process to be reaped at the end of this object.
                var information = siginfo_t()
                while waitid(P_PID, id_t(shell), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                continuation.resume()
            }
        }
    }
}
