/// One HTTP request.
public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    /// Absolute, `http` or `https`.
    public var url: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]?
    /// Time for the whole exchange; nil takes the connection's.
    public var timeout: Duration?
    /// Whether the server must not get the request twice. The request is then sent on a new connection: on a reused one
    /// libcurl sends it again if the server closes the connection before it answers (CURLOPT_FRESH_CONNECT(3)).
    public var isSentOnce = false
    /// How long nothing may arrive before the connection counts as dead, in whole seconds; nil for no limit.
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

/// The answer to a request, whatever its status.
public struct HTTPResponse: Sendable {
    public let status: Int
    /// Header fields in their order, names in lower case.
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
    /// Where a redirect leads, absolute; nil where the answer is none.
    public let redirect: String?
    /// How long the server asks to wait (`Retry-After`, as seconds or as a date); nil where it does not.
    public let retryAfter: Duration?

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
        self.retryAfter = retryAfter
    }

    /// The first value of a header field, whose name is given in lower case.
    public subscript(header name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
