import CCurl

/// Owns a libcurl easy handle. Not Sendable: the actor that made it is the only one to touch it.
///
/// “You must never share the same handle in multiple threads” (libcurl-thread(3)).
final class EasyHandle {
    private let handle: UnsafeMutableRawPointer
    /// libcurl writes a message of at most CURL_ERROR_SIZE bytes here; it must stay in place (CURLOPT_ERRORBUFFER(3)).
    private let message: UnsafeMutableBufferPointer<CChar>

    // Once for the process, before any handle (curl_global_init(3)); a lazy static is initialised by one thread.
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
        curl_easy_cleanup(handle)
        message.deallocate()
    }

    func perform(
        _ request: HTTPRequest, _ configuration: HTTPConfiguration, _ transfer: Transfer
    ) throws(HTTPError) -> (code: CURLcode, message: String) {
        curl_easy_reset(handle)  // keeps connections, the DNS cache and TLS sessions
        message[0] = 0
        let sendsBody = request.body != nil || request.method.expectsBody
        let headers = try HeaderList(request.headers, hasBody: sendsBody)
        set(request, headers)
        set(configuration, timeout: request.timeout ?? configuration.timeout)
        set(transfer)
        let body = request.body ?? []
        let code = body.withUnsafeBufferPointer { bytes in
            // The body is not copied by libcurl: it stays in place until curl_easy_perform returns.
            if sendsBody { set(body: bytes) }
            return withExtendedLifetime((transfer, headers)) { curl_easy_perform(handle) }
        }
        return (code, text(of: code))
    }

    private func text(of code: CURLcode) -> String {
        guard let start = message.baseAddress, start[0] != 0 else { return String(cString: curl_easy_strerror(code)) }
        return String(cString: start)
    }
}

// What the last exchange brought (curl_easy_getinfo(3)).
extension EasyHandle {
    var status: Int {
        var status = 0
        findmybike_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    var redirect: String? {
        var url: UnsafePointer<CChar>?
        findmybike_getinfo_string(handle, CURLINFO_REDIRECT_URL, &url)
        return url.map { String(cString: $0) }
    }

    var retryAfter: Duration? {
        var seconds: curl_off_t = 0
        findmybike_getinfo_offset(handle, CURLINFO_RETRY_AFTER, &seconds)
        return seconds > 0 ? .seconds(seconds) : nil
    }
}

extension EasyHandle {
    private func set(_ option: CURLoption, _ value: Int) {
        findmybike_setopt_long(handle, option, value)
    }

    /// libcurl copies strings.
    private func set(_ option: CURLoption, _ value: String) {
        value.withCString { _ = findmybike_setopt_pointer(handle, option, $0) }
    }

    private func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
        findmybike_setopt_pointer(handle, option, pointer)
    }

    private func set(_ request: HTTPRequest, _ headers: HeaderList) {
        set(CURLOPT_URL, request.url)
        if request.method != .get { set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
        set(CURLOPT_HTTPHEADER, pointer: headers.start)
    }

    private func set(body: UnsafeBufferPointer<UInt8>) {
        findmybike_setopt_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // A null pointer would make libcurl read the body from standard input.
        let empty: StaticString = ""
        set(CURLOPT_POSTFIELDS, pointer: body.baseAddress ?? empty.utf8Start)
    }

    private func set(_ configuration: HTTPConfiguration, timeout: Duration) {
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_NOSIGNAL, 1)  // no SIGALRM in a process of many threads
        set(CURLOPT_ACCEPT_ENCODING, "")  // whatever this libcurl can decompress; the limit counts after that
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        set(CURLOPT_TIMEOUT_MS, timeout.wholeMilliseconds)
        if let file = configuration.certificateAuthorityFile { set(CURLOPT_CAINFO, file) }
        if let socket = configuration.unixSocket {
            set(CURLOPT_UNIX_SOCKET_PATH, socket)
            set(CURLOPT_PROXY, "")
        }
        // A proxy of the environment would connect on our behalf, past the check of the address.
        if configuration.addresses != .any { set(CURLOPT_PROXY, "") }
    }

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

/// A libcurl string list of header fields.
private final class HeaderList {
    private(set) var start: UnsafeMutablePointer<curl_slist>?

    init(_ headers: [(name: String, value: String)], hasBody: Bool) throws(HTTPError) {
        for (name, value) in headers {
            guard (name + value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !name.contains(":") else {
                throw .invalidHeader(name)
            }
            // “Name:” would remove the field; “Name;” sends it empty (CURLOPT_HTTPHEADER(3)).
            start = curl_slist_append(start, value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        // Without this libcurl waits a second for “100 Continue” before larger bodies.
        if hasBody { start = curl_slist_append(start, "Expect:") }
    }

    deinit { curl_slist_free_all(start) }
}

extension HTTPRequest.Method {
    /// A POST, PUT or PATCH without a body still says so, with a length of zero.
    fileprivate var expectsBody: Bool { self == .post || self == .put || self == .patch }
}

extension Duration {
    /// Between a millisecond and a day: libcurl takes zero as ‘for ever’.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = min(self, .seconds(86_400)).components
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
