import CCurl
import Dispatch
import OperatingSystem

/// A connection on which the caller speaks another protocol, such as WebSocket: libcurl looks up the name, connects
/// and, for `https`, does TLS; certificates and host names are always verified.
///
/// It reads only on request, a bounded number of bytes at a time, and after a pause. So a peer can neither fill the
/// memory nor wake the process more than 40 times a second.
public actor StreamConnection {
    /// The time from a request for bytes until they are read, so that bytes that arrive in quick succession are read
    /// together.
    static let readingPause = DispatchTimeInterval.milliseconds(25)
    /// The bytes that are read together, at most, unless the caller wants more.
    public static let usualRead = 64 << 10
    /// The bytes that are read together, at most, whatever the caller wants.
    public static let longestRead = 256 << 10

    private let executor: QueueExecutor
    /// The connection; nil once it is closed.
    private var easy: EasyHandle?
    /// Calls back when the socket is readable. It is suspended unless a caller waits for bytes that have not arrived.
    private var source: DescriptorSource?
    private var buffer = [UInt8](repeating: 0, count: longestRead)
    /// The caller of ``receive(atMost:)``.
    private var waiter: CheckedContinuation<Result<[UInt8]?, HTTPError>, Never>?
    /// How many bytes the waiter wants at most.
    private var wanted = usualRead

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() { executor = QueueExecutor(label: "StreamConnection") }

    /// Connects to the host and port of a URL, without a proxy and without sending anything. If the task is cancelled,
    /// this ends within a second.
    ///
    /// - Parameters:
    ///   - addresses: the addresses that may be connected to.
    ///   - authority: a PEM file with certificates to trust instead of the system's.
    ///   - timeout: the time to resolve the name, connect and complete the TLS handshake.
    /// - Throws: ``HTTPError``, or `CancellationError`.
    public static func open(
        _ url: String, addresses: AddressPolicy = .any, authority: String? = nil, timeout: Duration = .seconds(10)
    ) async throws -> StreamConnection {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            let connection = StreamConnection()
            try await connection.connect(url, addresses, authority, timeout, cancellation)
            return connection
        } onCancel: {
            cancellation.set()
        }
    }

    private func connect(
        _ url: String, _ addresses: AddressPolicy, _ authority: String?, _ timeout: Duration,
        _ cancellation: CancellationFlag
    ) throws {
        let easy = try EasyHandle()
        let transfer = Transfer(limit: 0, addresses: addresses, cancellation: cancellation)
        let code = easy.connect(to: url, transfer, authority, timeout)
        if cancellation.isSet { throw CancellationError() }
        if let address = transfer.refusedAddress { throw HTTPError.addressRefused(address.description) }
        guard code == CURLE_OK else { throw failure(code, of: easy) }
        guard let descriptor = easy.socket else { throw failure(CURLE_COULDNT_CONNECT, of: easy) }
        let wake: () -> Void = { [weak self] in self?.assumeIsolated { $0.becameReadable() } }
        guard let source = DescriptorSource(duplicating: descriptor, .reading, queue: executor.queue, handler: wake)
        else { throw failure(CURLE_OUT_OF_MEMORY, of: easy) }
        source.suspend()
        (self.easy, self.source) = (easy, source)
    }

    /// Sends a few bytes.
    ///
    /// - Throws: ``HTTPError``, also if the kernel cannot accept them, because the peer has not read for a long time.
    public func send(_ bytes: [UInt8]) throws(HTTPError) {
        guard let easy else { throw Self.ended }
        var sent = 0
        while sent < bytes.count {
            let (code, count) = easy.send(bytes[sent...])
            guard code == CURLE_OK else { throw failure(code, of: easy) }
            sent += count
        }
    }

    /// The next bytes; nil at the end of the connection. Only one caller may wait at a time.
    ///
    /// - Parameter limit: the maximum number of bytes, 1…``longestRead``; other numbers count as the nearest of these.
    public func receive(atMost limit: Int = usualRead) async throws(HTTPError) -> [UInt8]? {
        guard easy != nil else { return nil }
        wanted = min(max(limit, 1), Self.longestRead)
        let result = await withCheckedContinuation { waiter in
            self.waiter = waiter
            readAfterPause()
        }
        return try result.get()
    }

    /// Closes the connection; a waiting caller gets nil.
    public func close() {
        (source, easy) = (nil, nil)
        resumeWaiter(.success(nil))
    }

    private func becameReadable() {
        source?.suspend()
        readAfterPause()
    }

    /// Reads after ``readingPause``, in which more bytes may arrive.
    private func readAfterPause() {
        let wake: @Sendable () -> Void = { [weak self] in self?.assumeIsolated { $0.read() } }
        executor.queue.asyncAfter(deadline: .now() + Self.readingPause, execute: wake)
    }

    /// Reads what has arrived and passes it to the waiter; if nothing has, the waiter goes on waiting.
    private func read() {
        guard waiter != nil, let easy else { return }
        // Resumed first: Dispatch on Linux forgets a descriptor whose peer hangs up while its source is suspended.
        source?.resume()
        var received = 0
        var code = CURLE_OK
        var count = 0
        // libcurl returns at most what one record of TLS holds: 16 KiB.
        repeat {
            (code, count) = easy.receive(into: &buffer, received..<wanted)
            if code == CURLE_OK { received += count }
        } while code == CURLE_OK && count > 0 && received < wanted
        // “the socket is not ready”: the source calls back. TLS may have read ahead, so the state of the socket alone
        // is not enough.
        guard received > 0 || code != CURLE_AGAIN else { return }
        source?.suspend()
        // An end or an error behind these bytes is met again by the next read.
        if received > 0 { return resumeWaiter(.success(Array(buffer[..<received]))) }
        resumeWaiter(code == CURLE_OK ? .success(nil) : .failure(failure(code, of: easy)))
    }

    private func resumeWaiter(_ result: Result<[UInt8]?, HTTPError>) {
        waiter?.resume(returning: result)
        waiter = nil
    }

    private func failure(_ code: CURLcode, of easy: EasyHandle) -> HTTPError {
        .transfer(code: code.rawValue, message: easy.text(of: code))
    }

    private static let ended = HTTPError.transfer(
        code: CURLE_SEND_ERROR.rawValue, message: "the connection has ended")
}

// “The application can perform data transfer with curl_easy_recv and curl_easy_send” (CURLOPT_CONNECT_ONLY(3)).
extension EasyHandle {
    fileprivate func connect(
        to url: String, _ transfer: Transfer, _ authority: String?, _ timeout: Duration
    ) -> CURLcode {
        reset(transfer)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_URL, url)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_CONNECT_ONLY, 1)
        // With HTTP/2 the caller's bytes would not be a valid request.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        setSafety(authority: authority, timeout, timeout)
        return performPrepared()
    }

    /// The descriptor of the connection; nil if it has none.
    fileprivate var socket: curl_socket_t? {
        var socket = curlBadSocket
        return findmybike_getinfo_socket(handle, &socket) == CURLE_OK && socket >= 0 ? socket : nil
    }

    /// - Returns: libcurl's code, and how many bytes were sent (curl_easy_send(3)).
    fileprivate func send(_ bytes: ArraySlice<UInt8>) -> (CURLcode, Int) {
        var count = 0
        let code = holdingOffBrokenPipes {
            bytes.withUnsafeBytes { curl_easy_send(handle, $0.baseAddress, $0.count, &count) }
        }
        return (code, count)
    }

    /// - Parameter range: the part of the buffer to read into, which must be within it.
    /// - Returns: libcurl's code, and how many bytes were read; none with `CURLE_OK` at the end (curl_easy_recv(3)).
    fileprivate func receive(into buffer: inout [UInt8], _ range: Range<Int>) -> (CURLcode, Int) {
        var count = 0
        // Reading with TLS may write.
        let code = holdingOffBrokenPipes {
            buffer.withUnsafeMutableBytes { bytes in
                let part = UnsafeMutableRawBufferPointer(rebasing: bytes[range])
                return curl_easy_recv(handle, part.baseAddress, part.count, &count)
            }
        }
        return (code, count)
    }
}
