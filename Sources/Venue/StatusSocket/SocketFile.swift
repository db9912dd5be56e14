import Foundation
import OperatingSystem

/// The file of a Unix socket.
enum SocketFile {
    /// The reason why the socket cannot be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        /// The error of the last system call.
        init(_ path: String) {
            description = "\(path): \(String(cString: strerror(errno)))"
        }

        init(reason: String) {
            description = reason
        }
    }

    /// Removes a socket that an earlier run left behind, but no other file, and no socket that accepts connections.
    static func makeWay(_ path: String) throws(Failure) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno != ENOENT else { return try checkFolder(of: path) }
            throw Failure(path)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw Failure(reason: "\(path) is not a socket: remove it or set status.socket")
        }
        guard !isAnswered(path) else {
            throw Failure(reason: "another monitor serves its status at \(path): set status.socket")
        }
        guard unlink(path) == 0 else { throw Failure(path) }
    }

    /// Throws if the socket's folder is missing or not writable.
    private static func checkFolder(of path: String) throws(Failure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw Failure(reason: "the folder \(folder) is missing or not writable: create it or set status.socket")
        }
    }

    /// Whether a program accepts connections at the socket.
    private static func isAnswered(_ path: String) -> Bool {
        guard let address = sockaddr_un(path: path) else { return false }
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        return withSocketAddress(address) { connect(socket, $0, $1) } == 0
    }
}
