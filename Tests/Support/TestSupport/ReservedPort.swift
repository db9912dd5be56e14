import Glibc

/// A port of the loopback address, which the system gives to no other program while this exists.
public final class ReservedPort: Sendable {
    public let number: Int
    private let descriptor: Int32

    /// - Parameter isTaken: whether this listens on the port, so that a server cannot. If not, a server that asks for it by
    ///   its number and sets SO_REUSEADDR, as servers do, can listen on it; until then, connections are refused.
    /// - Throws: ``Descriptor/Failure``.
    public init(isTaken: Bool = false) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Descriptor.Failure("making a socket") }
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (own, count) = (descriptor, length)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(own, $0, count) == 0 ? getsockname(own, $0, &length) : -1
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        guard status == 0, !isTaken || listen(descriptor, 1) == 0 else {
            throw Descriptor.Failure("binding a socket")
        }
    }

    deinit { close(descriptor) }
}
