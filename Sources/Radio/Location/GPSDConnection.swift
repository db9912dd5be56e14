import Dispatch
import Glibc
import OperatingSystem

/// The reason why gpsd cannot be used.
public struct GPSDError: Error, Hashable, CustomStringConvertible {
    public let description: String
}

/// A TCP connection to gpsd. Its calls block for at most a second each, on a private queue.
actor GPSDConnection {
    private let executor = QueueExecutor(label: "GPSDConnection")
    private let socket: Int32

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Connects to the first of a host's addresses that responds within five seconds.
    init(host: String, port: Int) async throws(GPSDError) {
        socket = try await Self.onQueue { () throws(GPSDError) in try Self.connect(host, port) }
    }

    deinit { close(socket) }

    /// Runs blocking work, such as name resolution and connecting, on a queue, not on a thread of the shared pool.
    private static func onQueue(
        _ body: @escaping @Sendable () throws(GPSDError) -> Int32
    ) async throws(GPSDError) -> Int32 {
        let queue = QueueExecutor(label: "GPSDConnection.connect").queue
        let result: Result<Int32, GPSDError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// The received data, at most 4,096 bytes; empty if nothing arrived within a second.
    ///
    /// - Throws: ``GPSDError`` if the peer closed the connection or it was lost.
    func receive() throws(GPSDError) -> [UInt8] {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let ready = poll(&entry, 1, 1000)
        guard ready != 0, !(ready < 0 && errno == EINTR) else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else {
            throw GPSDError(description: count == 0 ? "gpsd closed the connection" : Self.reason())
        }
        return Array(buffer.prefix(count))
    }

    /// Sends a command, which is so short that the kernel takes it whole.
    func send(_ text: String) throws(GPSDError) {
        let bytes = Array(text.utf8)
        let count = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard count == bytes.count else { throw GPSDError(description: Self.reason()) }
    }

    private static func connect(_ host: String, _ port: Int) throws(GPSDError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, "\(port)", &hints, &list)
        guard status == 0, let list else {
            throw GPSDError(description: "\(host) cannot be resolved: \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(list) }
        var reason = "no address"
        for address in sequence(first: list, next: { $0.pointee.ai_next }) {
            do {
                return try connect(address.pointee)
            } catch {
                reason = error.description
            }
        }
        throw GPSDError(description: "gpsd at \(host):\(port) cannot be reached: \(reason)")
    }

    /// Connects to one address within five seconds; returns the socket.
    private static func connect(_ address: addrinfo) throws(GPSDError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(address.ai_family, kind, address.ai_protocol)
        guard socket >= 0 else { throw GPSDError(description: reason()) }
        var failure: Int32 = 0
        if Glibc.connect(socket, address.ai_addr, address.ai_addrlen) != 0 { failure = errno }
        if failure == EINPROGRESS { failure = outcomeOfConnecting(socket) }
        guard failure == 0 else {
            close(socket)
            throw GPSDError(description: String(cString: strerror(failure)))
        }
        return socket
    }

    /// Waits until a socket is connected, at most five seconds; returns the error number, which is 0 if it is.
    private static func outcomeOfConnecting(_ socket: Int32) -> Int32 {
        var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, 5000) > 0 else { return ETIMEDOUT }
        var failure = ETIMEDOUT
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &length)
        return failure
    }

    /// The last error of the system, in words.
    private static func reason() -> String { String(cString: strerror(errno)) }
}
