import Dispatch
import Foundation
import Glibc
import OperatingSystem
import Scanning

/// A TCP connection to a proxy.
///
/// While bytes arrive, all connections are read at the same moments, ten times a second, a bounded number of bytes each:
/// so many proxies wake the process as seldom as one, and none can fill its memory. Other bytes from a proxy wait in
/// the kernel, and then at the proxy. A quiet connection wakes the process only when bytes arrive.
actor ProxySocket {
    /// The queue of all connections and of their sessions: a session that shares it gets bytes without another thread.
    static let executor = RadioQueue.actors
    private static let moments = ReadingMoments(queue: RadioQueue.queue)
    /// Some 320 reports, ten times a second: more than a radio can hear.
    static let maximumRead = 16 << 10
    /// The time without bytes after which a connection is quiet, in nanoseconds.
    private static let attention: UInt64 = 2_000_000_000
    /// The time for connecting to one address, in seconds.
    private static let connectTimeout = 5

    private var descriptor: CInt?
    private var source: DescriptorSource?
    private var buffer = [UInt8](repeating: 0, count: maximumRead)
    private var waiter: CheckedContinuation<Result<[UInt8]?, ProxyError>, Never>?
    /// When bytes came last, by the clock of Dispatch.
    private var lastBytes: UInt64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Connects on a separate thread, because connecting blocks.
    static func connect(to address: ProxyAddress) async throws(ProxyError) -> ProxySocket {
        let result = await withCheckedContinuation { waiter in
            DispatchQueue(label: "ProxySocket.connect").async {
                waiter.resume(returning: Result { () throws(ProxyError) in try open(address) })
            }
        }
        let socket = ProxySocket()
        await socket.start(try result.get())
        return socket
    }

    /// Sends bytes. They are few: if the kernel cannot take them, the proxy has not read for long.
    func send(_ bytes: Data) throws(ProxyError) {
        guard !bytes.isEmpty else { return }
        guard let descriptor else { throw .closed }
        // A closed connection must be reported as an error, not as a signal that ends the process.
        let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard count == bytes.count else { throw Self.failure(.write, code: count < 0 ? errno : EAGAIN) }
    }

    /// The next bytes; nil after ``close()``. Only one caller may wait at a time.
    func receive() async throws(ProxyError) -> [UInt8]? {
        guard descriptor != nil else { return nil }
        let result = await withCheckedContinuation { waiter in
            self.waiter = waiter
            if isAttended { readNext() } else { waitForInput() }
        }
        return try result.get()
    }

    /// Closes the connection; a waiting ``receive()`` returns nil.
    func close() {
        source = nil
        descriptor = nil
        answer(.success(nil))
    }

    /// Waits for bytes on a quiet connection.
    private func waitForInput() {
        source?.resume()
        // Dispatch on Linux forgets a descriptor whose peer hangs up while its source is suspended.
        if hasInput { endQuiet() }
    }

    /// Whether a read would not have to wait: there are bytes, the end of the connection or an error.
    private var hasInput: Bool {
        guard let descriptor else { return false }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        let mustWait = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
        return !mustWait
    }

    /// Bytes have come to a quiet connection: the shared moments read it until it is quiet again.
    private func endQuiet() {
        source?.suspend()
        readNext()
    }

    /// Whether bytes came so recently that the shared moments read this connection.
    private var isAttended: Bool { DispatchTime.now().uptimeNanoseconds < lastBytes + Self.attention }

    /// Reads at the next of the moments that all connections share.
    private func readNext() {
        Self.moments.atNext { [weak self] in self?.assumeIsolated { $0.read() } }
    }

    /// Reads once, and answers the waiting caller or waits on.
    private func read() {
        guard waiter != nil, let descriptor else { return }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            lastBytes = DispatchTime.now().uptimeNanoseconds
            return answer(.success(Array(buffer[..<count])))
        }
        if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR {
            return isAttended ? readNext() : waitForInput()
        }
        let error = count == 0 ? ProxyError.closed : Self.failure(.read, code: errno)
        source = nil
        self.descriptor = nil
        answer(.failure(error))
    }

    /// The reason for a failed call. A proxy that closes without having read everything resets the connection.
    private static func failure(_ action: ProxyError.Action, code: CInt) -> ProxyError {
        code == ECONNRESET || code == EPIPE ? .closed : .system(action, code: code)
    }

    /// Passes a result to the caller that waits, if there is one.
    private func answer(_ result: Result<[UInt8]?, ProxyError>) {
        waiter?.resume(returning: result)
        waiter = nil
    }
}

// Connecting.
extension ProxySocket {
    /// A connected descriptor.
    private static func open(_ address: ProxyAddress) throws(ProxyError) -> CInt {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address.host, "\(address.port)", &hints, &found)
        guard code == 0 else { throw .unknownHost(code: code) }
        defer { freeaddrinfo(found) }
        var failure = EHOSTUNREACH
        var next = found
        while let candidate = next?.pointee {
            switch connect(candidate) {
            case .success(let descriptor): return descriptor
            case .failure(let code): failure = code.number
            }
            next = candidate.ai_next
        }
        throw .system(.connect, code: failure)
    }

    /// An error number of the system.
    private struct Code: Error {
        let number: CInt
    }

    /// Connects to one of the host's addresses.
    private static func connect(_ candidate: addrinfo) -> Result<CInt, Code> {
        let type = candidate.ai_socktype | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(candidate.ai_family, type, candidate.ai_protocol)
        guard descriptor >= 0 else { return .failure(Code(number: errno)) }
        // Limits connect(2), too (socket(7)): a host that is off must not block for minutes.
        var limit = timeval(tv_sec: connectTimeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard Glibc.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 else {
            let code = Code(number: errno)
            Glibc.close(descriptor)
            return .failure(code)
        }
        return .success(descriptor)
    }

    /// Takes over a connected descriptor.
    private func start(_ descriptor: CInt) {
        var yes: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        self.descriptor = descriptor
        let source = DescriptorSource(descriptor, .reading, queue: RadioQueue.queue) { @Sendable [weak self] in
            self?.assumeIsolated { $0.endQuiet() }
        }
        source.suspend()
        self.source = source
    }
}
