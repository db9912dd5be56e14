/// One HTTP request.
public struct HTTPRequest: Sendable {
    /// The methods that the programs use (RFC 9110, section 9; RFC 5789).
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    /// The absolute URL, `http` or `https`.
    public var url: String
    /// The header fields in order. A name or value with a line break fails the request with
    /// ``HTTPError/invalidHeader(_:)``.
    public var headers: [(name: String, value: String)]
    /// The body; nil for none, which POST, PUT and PATCH send as an empty one.
    public var body: [UInt8]?
    /// The maximum time of the whole exchange; nil uses the connection's.
    public var timeout: Duration?
    /// The maximum size of the response's body in bytes, after decompression; nil uses the connection's.
    public var responseLimit: Int?
    /// Whether the server must not get the request twice. The request is then sent on a new connection: on a reused one
    /// libcurl would send it again if the server closed the connection before it responded (CURLOPT_FRESH_CONNECT(3)).
    public var isSentOnce = false
    /// The maximum time without data before the connection counts as dead, in whole seconds; nil for no limit.
    public var silence: Duration?

    public init(
        _ method: Method,
        url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        timeout: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// The response to a request, whatever its status.
public struct HTTPResponse: Sendable {
    /// The status code, 100…599 from a server that follows RFC 9110.
    public let status: Int
    /// The header fields in order, with names in lower case.
    public let headers: [(name: String, value: String)]
    /// The body after decompression, at most as long as the request's limit.
    public let body: [UInt8]
    /// The absolute URL of a redirect; nil if the response is not a redirect.
    public let redirect: String?
    /// The time that the server asks to wait (`Retry-After`, in seconds or as a date), at most ``longestRetryAfter``;
    /// nil if there is none.
    public let retryAfter: Duration?

    /// The longest wait that is passed on. A number of seconds may have any size, and adding it to a time must not
    /// trap.
    public static let longestRetryAfter = Duration.seconds(86_400)

    public init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        redirect: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.redirect = redirect
        self.retryAfter = retryAfter.map { min($0, Self.longestRetryAfter) }
    }

    /// The first value of a header field; nil if there is none. The name must be in lower case.
    public subscript(header name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
