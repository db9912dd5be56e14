import CCurl
import OperatingSystem

/// Owns a libcurl easy handle. Not Sendable: only the actor that created it may use it.
///
/// “You must never share the same handle in multiple threads” (libcurl-thread(3)).
final class EasyHandle {
    let handle: UnsafeMutableRawPointer
    /// libcurl writes a message of at most CURL_ERROR_SIZE bytes here; it must stay in place (CURLOPT_ERRORBUFFER(3)).
    private let message: UnsafeMutableBufferPointer<CChar>

    /// The objects to which libcurl has pointers during a transfer.
    private var borrowed: (transfer: Transfer, lists: [StringList])?

    // Once per process, before any handle (curl_global_init(3)); a lazy static is initialised by one thread.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init() throws(HTTPError) {
        guard Self.isReady, let handle = curl_easy_init() else {
            throw .transfer(code: CURLE_FAILED_INIT.rawValue, message: "libcurl could not be initialised")
        }
        self.handle = handle
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0)
    }

    deinit {
        // Closing writes to peers that may have gone.
        holdingOffBrokenPipes { curl_easy_cleanup(handle) }
        message.deallocate()
    }

    /// Performs one exchange, and blocks until it has ended.
    ///
    /// - Returns: libcurl's code, and its description of the code.
    /// - Throws: ``HTTPError/invalidHeader(_:)``; then nothing was sent.
    func perform(
        _ request: HTTPRequest, _ configuration: HTTPConfiguration, _ transfer: Transfer
    ) throws(HTTPError) -> (code: CURLcode, message: String) {
        try prepare(request, configuration, transfer)
        // HTTP/2 has no use for one request at a time, and costs both ends memory.
        if !configuration.waitsForStreams { set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
        let code = performPrepared()
        return (code, text(of: code))
    }

    /// Sets all options of a request. Objects that libcurl only borrows are kept until ``release()`` or the next request.
    ///
    /// - Throws: ``HTTPError/invalidHeader(_:)``.
    func prepare(
        _ request: HTTPRequest, _ configuration: HTTPConfiguration, _ transfer: Transfer
    ) throws(HTTPError) {
        let sendsBody = request.body != nil || request.method.expectsBody
        let headers = try StringList(headers: request.headers, hasBody: sendsBody)
        reset(transfer, keeping: headers)
        set(request, headers)
        set(configuration, timeout: request.timeout ?? configuration.timeout)
        if let silence = request.silence {
            // “abort if it is below LOW_SPEED_LIMIT bytes a second for LOW_SPEED_TIME seconds”
            set(CURLOPT_LOW_SPEED_LIMIT, 1)
            set(CURLOPT_LOW_SPEED_TIME, Int(clamping: silence.components.seconds))
        }
        if sendsBody { set(body: request.body ?? []) }
    }

    /// Clears all options, and prepares the handle for a transfer.
    ///
    /// - Parameter lists: the string lists that later options point to.
    func reset(_ transfer: Transfer, keeping lists: StringList...) {
        curl_easy_reset(handle)  // keeps connections, the DNS cache and TLS sessions
        message[0] = 0
        borrowed = (transfer, lists)
        set(transfer)
    }

    /// Performs the prepared exchange, blocking until it has ended.
    func performPrepared() -> CURLcode {
        defer { release() }
        return holdingOffBrokenPipes { curl_easy_perform(handle) }
    }

    /// Releases the objects of an ended transfer.
    func release() { borrowed = nil }

    /// libcurl's description of a code of this handle.
    func text(of code: CURLcode) -> String {
        guard let start = message.baseAddress, start[0] != 0 else { return String(cString: curl_easy_strerror(code)) }
        return String(cString: start)
    }
}

// The result of the last exchange (curl_easy_getinfo(3)).
extension EasyHandle {
    /// The response, or the reason why there is none.
    func response(to transfer: Transfer, after code: CURLcode) -> Result<HTTPResponse, any Error> {
        if transfer.cancellation.isSet { return .failure(CancellationError()) }
        if transfer.isTooLarge { return .failure(HTTPError.responseTooLarge(limit: transfer.limit)) }
        guard code == CURLE_OK else {
            if let address = transfer.refusedAddress {
                return .failure(HTTPError.addressRefused(address.description))
            }
            return .failure(HTTPError.transfer(code: code.rawValue, message: text(of: code), isSent: hasSentRequest))
        }
        return .success(
            HTTPResponse(
                status: status, headers: transfer.headers, body: transfer.body, redirect: redirect,
                retryAfter: retryAfter
            )
        )
    }

    /// The status code; 0 if no response arrived.
    private var status: Int {
        var status = 0
        findmybike_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// Whether any part of the request was sent.
    private var hasSentRequest: Bool {
        var bytes = 0
        findmybike_getinfo_long(handle, CURLINFO_REQUEST_SIZE, &bytes)
        return bytes > 0
    }

    /// The absolute URL of a redirect, which libcurl is set up not to follow; nil for any other response.
    private var redirect: String? {
        var url: UnsafePointer<CChar>?
        findmybike_getinfo_string(handle, CURLINFO_REDIRECT_URL, &url)
        return url.map { String(cString: $0) }
    }

    /// The wait that the server asks for; nil if it asks for none.
    private var retryAfter: Duration? {
        var seconds: curl_off_t = 0
        findmybike_getinfo_offset(handle, CURLINFO_RETRY_AFTER, &seconds)
        return seconds > 0 ? .seconds(seconds) : nil
    }
}

// The options (curl_easy_setopt(3)).
extension EasyHandle {
    func set(_ option: CURLoption, _ value: Int) {
        findmybike_setopt_long(handle, option, value)
    }

    /// libcurl copies strings.
    func set(_ option: CURLoption, _ value: String) {
        value.withCString { _ = findmybike_setopt_pointer(handle, option, $0) }
    }

    /// The caller keeps what the pointer leads to until the transfer has ended.
    func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
        findmybike_setopt_pointer(handle, option, pointer)
    }

    private func set(_ request: HTTPRequest, _ headers: StringList) {
        set(CURLOPT_URL, request.url)
        if request.method != .get { set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
        set(CURLOPT_FRESH_CONNECT, request.isSentOnce ? 1 : 0)
        set(CURLOPT_HTTPHEADER, pointer: headers.start)
    }

    /// Sets the body, which libcurl copies, so it need not stay in memory.
    private func set(body: [UInt8]) {
        findmybike_setopt_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // A null pointer would make libcurl read the body from standard input.
        let empty: StaticString = ""
        body.withUnsafeBufferPointer { set(CURLOPT_COPYPOSTFIELDS, pointer: $0.baseAddress ?? empty.utf8Start) }
    }

    private func set(_ configuration: HTTPConfiguration, timeout: Duration) {
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_ACCEPT_ENCODING, "")  // everything that this libcurl can decompress; the limit applies afterwards
        set(CURLOPT_USERAGENT, configuration.userAgent)
        setSafety(authority: configuration.certificateAuthorityFile, configuration.connectTimeout, timeout)
        // Prefer a stream of a connection that is being established to another connection.
        set(CURLOPT_PIPEWAIT, configuration.waitsForStreams ? 1 : 0)
        if let socket = configuration.unixSocket {
            set(CURLOPT_UNIX_SOCKET_PATH, socket)
            set(CURLOPT_PROXY, "")
        }
        // A proxy from the environment would connect for us and bypass the check of the address.
        if configuration.addresses != .any { set(CURLOPT_PROXY, "") }
    }

    /// Sets the options that apply to every protocol: verified TLS, timeouts and keep-alive.
    ///
    /// - Parameters:
    ///   - authority: a PEM file with certificates to trust instead of the system's.
    ///   - connectTimeout: the time to resolve the name, connect and complete the TLS handshake.
    ///   - timeout: the time of the whole exchange.
    func setSafety(authority: String?, _ connectTimeout: Duration, _ timeout: Duration) {
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_NOSIGNAL, 1)  // no SIGALRM in a multi-threaded process
        set(CURLOPT_CONNECTTIMEOUT_MS, connectTimeout.wholeMilliseconds)
        set(CURLOPT_TIMEOUT_MS, timeout.wholeMilliseconds)
        if let authority { set(CURLOPT_CAINFO, authority) }
        // A poll is idle for most of a minute, and many mobile networks drop idle connections.
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_TCP_KEEPIDLE, Self.keepAliveSeconds)
        set(CURLOPT_TCP_KEEPINTVL, Self.keepAliveSeconds)
    }

    private static let keepAliveSeconds = 45

    private func set(_ transfer: Transfer) {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(transfer).toOpaque())
        set(CURLOPT_ERRORBUFFER, pointer: message.baseAddress)
        set(CURLOPT_WRITEDATA, pointer: context)
        set(CURLOPT_HEADERDATA, pointer: context)
        set(CURLOPT_XFERINFODATA, pointer: context)
        set(CURLOPT_OPENSOCKETDATA, pointer: context)
        findmybike_setopt_data(handle, CURLOPT_WRITEFUNCTION, receiveBody)
        findmybike_setopt_data(handle, CURLOPT_HEADERFUNCTION, receiveHeader)
        findmybike_setopt_progress(handle, checkCancellation)
        findmybike_setopt_open_socket(handle, openSocket)
        set(CURLOPT_NOPROGRESS, 0)
    }
}

/// Owns a libcurl string list.
final class StringList {
    /// The first node; nil for an empty list.
    private(set) var start: UnsafeMutablePointer<curl_slist>?

    init(_ items: [String]) {
        for item in items { start = curl_slist_append(start, item) }
    }

    /// The header fields of a request.
    ///
    /// - Parameter hasBody: whether the request has a body, even an empty one.
    /// - Throws: ``HTTPError/invalidHeader(_:)`` if a field could be read as more than one.
    convenience init(headers: [(name: String, value: String)], hasBody: Bool) throws(HTTPError) {
        var lines: [String] = []
        for (name, value) in headers {
            guard (name + value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !name.utf8.contains(UInt8(ascii: ":"))
            else {
                throw .invalidHeader(name)
            }
            // “Name:” would remove the field; “Name;” sends it empty (CURLOPT_HTTPHEADER(3)).
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        // Without this libcurl waits a second for “100 Continue” before larger bodies.
        if hasBody { lines.append("Expect:") }
        self.init(lines)
    }

    deinit { curl_slist_free_all(start) }
}

extension HTTPRequest.Method {
    /// Whether a request without a body still sends a length of zero: POST, PUT or PATCH.
    fileprivate var expectsBody: Bool { self == .post || self == .put || self == .patch }
}

extension Duration {
    /// The duration in milliseconds, clamped to between a millisecond and a day: libcurl treats zero as no limit.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = min(self, .seconds(86_400)).components
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
