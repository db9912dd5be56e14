import Glibc
import Syntax

/// Reports the service's state to the service manager by the protocol of sd_notify(3): one datagram per message to the
/// socket named by `NOTIFY_SOCKET`.
///
/// Sending never fails: an unresponsive manager must not affect the service.
public struct NotifySocket: Sendable {
    /// The variables of sd_notify(3), “Well-known assignments”.
    public enum Message: Hashable, Sendable {
        case ready
        case stopping
        /// One line for people, as `systemctl status` shows it.
        case status(String)
        /// A watchdog keep-alive; see ``Watchdog``.
        case watchdog

        var assignment: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
            case .watchdog: "WATCHDOG=1"
            }
        }
    }

    /// The path of a file, or a name in the abstract namespace after `@`.
    private let path: String

    /// Returns nil if no manager requests notifications.
    public init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.begins(with: "/") || path.begins(with: "@"),
            path.utf8.count < Self.longestPath
        else { return nil }
        self.path = path
    }

    /// Sends all messages in one datagram.
    ///
    /// Only readiness waits for a manager that is slow to read, since it is sent only once. Other messages are dropped
    /// if the manager's queue is full (net.unix.max_dgram_qlen): a service must not block because its manager does.
    public func send(_ messages: Message...) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var (address, length) = address()
        let text = messages.map(\.assignment).joined(separator: "\n")
        let flags = Int32(MSG_NOSIGNAL) | (messages.contains(.ready) ? 0 : Int32(MSG_DONTWAIT))
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, text, text.utf8.count, flags, address, length)
            }
        }
    }

    /// The space for the path and its terminating zero in `sockaddr_un` (unix(7)).
    private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    /// The socket's address. A leading `@` stands for the zero byte of the abstract namespace, whose names have the
    /// length given by the address.
    private func address() -> (sockaddr_un, socklen_t) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + bytes.count + (isAbstract ? 0 : 1) }
        return (address, socklen_t(length ?? MemoryLayout<sockaddr_un>.size))
    }
}
