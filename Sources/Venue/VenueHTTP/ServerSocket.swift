import Glibc
public import OperatingSystem

/// A socket that listens, or one of its connections. A call that has to wait suspends its task, and throws if the task is
/// cancelled. Only one call may wait at a time.
public actor ServerSocket {
    /// What the system says about a call that failed.
    public struct Failure: Error, CustomStringConvertible {
        let code: CInt

        public var description: String { String(cString: strerror(code)) }
    }

    private static let executor = QueueExecutor(label: "ServerSocket")
    private let descriptor: CInt
    private let wakeUp = WakeUp()
    private var source: DescriptorSource?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Takes ownership of the descriptor.
    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Listens at an address of this machine; port 0 selects any free one.
    public init(at endpoint: Endpoint) throws(Failure) {
        if let v4 = endpoint.address.v4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = endpoint.port.bigEndian
            address.sin_addr.s_addr = v4.bigEndian
            descriptor = try Self.listen(AF_INET, address)
        } else {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = endpoint.port.bigEndian
            let value = endpoint.address.value.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.storeBytes(of: value, as: UInt128.self) }
            descriptor = try Self.listen(AF_INET6, address)
        }
    }

    /// Listens at a path, which must be free.
    ///
    /// - Parameter mode: who may connect, by the permissions of the file.
    public init(path: String, mode: UInt32) throws(Failure) {
        guard let address = sockaddr_un(path: path) else { throw Failure(code: ENAMETOOLONG) }
        descriptor = try Self.listen(AF_UNIX, address) { chmod(path, mode) }
    }

    deinit { close(descriptor) }

    /// A socket that listens.
    ///
    /// - Parameter prepare: called before anybody can connect; 0, or -1 with `errno`.
    private static func listen<Address>(
        _ family: CInt, _ address: Address, prepare: () -> CInt = { 0 }
    ) throws(Failure) -> CInt {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        guard withSocketAddress(address, { bind(descriptor, $0, $1) }) == 0, prepare() == 0,
            Glibc.listen(descriptor, 64) == 0
        else {
            let code = errno
            close(descriptor)
            throw Failure(code: code)
        }
        return descriptor
    }

    /// The port at which it listens; nil for a Unix socket.
    public nonisolated var port: UInt16? {
        Self.endpoint { getsockname(descriptor, $0, $1) }?.port
    }

    /// Ends the connection in both directions, also for a call that waits.
    nonisolated func end() { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Tells the peer that nothing follows what was written.
    nonisolated func endWriting() { _ = shutdown(descriptor, CInt(SHUT_WR)) }
}

extension ServerSocket {
    /// The next connection and the address of its peer. One through a Unix socket has 127.0.0.1.
    func accept() async throws -> (socket: ServerSocket, peer: NetworkAddress) {
        while true {
            var accepted: CInt = -1
            let peer = Self.endpoint { address, length in
                accepted = Glibc.accept(descriptor, address, length)
                return accepted
            }
            if accepted >= 0 {
                // A program that the monitor starts must not inherit a connection.
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                return (ServerSocket(accepted), peer?.address ?? .loopback)
            }
            try await wait(.reading, after: errno)
        }
    }

    /// The next bytes; none at the end of the connection.
    ///
    /// - Parameter most: the most bytes, at least 1.
    func read(atMost most: Int) async throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: most)
        while true {
            let count = recv(descriptor, &piece, piece.count, CInt(MSG_DONTWAIT))
            if count >= 0 { return Array(piece[..<count]) }
            try await wait(.reading, after: errno)
        }
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            // A closed connection must be reported as an error, not as a signal that ends the process.
            let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                try await wait(.writing, after: errno)
            }
        }
    }

    /// Waits until a call can be made again that failed with this code, unless that is a real failure.
    private func wait(_ direction: DescriptorSource.Direction, after code: CInt) async throws {
        try Task.checkCancellation()
        if code == EINTR { return }
        guard code == EAGAIN else { throw Failure(code: code) }
        let wake: @Sendable () -> Void = { [weak self] in self?.assumeIsolated { $0.isReady() } }
        guard
            let source = DescriptorSource(
                duplicating: descriptor, direction, queue: Self.executor.queue, handler: wake)
        else { throw Failure(code: errno) }
        self.source = source
        await wakeUp.wait()
        self.source = nil
    }

    /// The descriptor can be used again.
    private func isReady() {
        source = nil
        wakeUp.wake()
    }

    /// The address that a system call writes; nil if it fails, or writes none of the Internet.
    private static func endpoint(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> Endpoint? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
        return status >= 0 ? withUnsafeBytes(of: address) { Endpoint($0) } : nil
    }
}

extension Endpoint {
    /// Reads a `sockaddr_storage`, which begins with the family; nil if it has no address of the Internet.
    fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
        switch CInt(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let address = bytes.loadUnaligned(as: sockaddr_in.self)
            let v4 = UInt32(bigEndian: address.sin_addr.s_addr)
            self.init(NetworkAddress(v4: v4), port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = bytes.loadUnaligned(as: sockaddr_in6.self)
            self.init(NetworkAddress(address.sin6_addr), port: UInt16(bigEndian: address.sin6_port))
        default: return nil
        }
    }
}
