import Foundation

/// The service manager's end of the notification socket, as sd_notify(3) describes it.
public final class ManagerSocket: Sendable {
    public let name: String
    private let descriptor: Int32

    public init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = name.hasPrefix("@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw Unbound() }
    }

    public struct Unbound: Error {}

    deinit { close(descriptor) }

    public var environment: [String: String] { ["NOTIFY_SOCKET": name] }

    /// Returns the next datagram, which must have been sent already.
    public func receive() -> String { receive(Int32(MSG_DONTWAIT)) }

    /// Waits for the next datagram.
    public func next() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(returning: receive(0)) }
        }
    }

    private func receive(_ flags: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
