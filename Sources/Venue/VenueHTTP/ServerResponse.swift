import Foundation

/// An HTTP/1.1 response, after which the connection is closed.
public struct ServerResponse: Sendable {
    public let status: Int
    public var headers: [(name: String, value: String)]
    public let body: [UInt8]
    /// What follows the head in place of a body, until it ends; nil if there is a body.
    let stream: AsyncStream<[UInt8]>?

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
        stream = nil
    }

    /// A response that goes on until the stream or the connection ends.
    public init(headers: [(name: String, value: String)], stream: AsyncStream<[UInt8]>) {
        status = 200
        self.headers = headers
        body = []
        self.stream = stream
    }

    /// A problem in the registry's form (RFC 9457). The page of a display looks only at the status.
    public static func problem(_ status: Int, _ title: String, retryAfter: Int? = nil) -> ServerResponse {
        let wait = retryAfter.map { [(name: "Retry-After", value: "\($0)")] } ?? []
        let body = (try? encoder.encode(Problem(status: status, title: title))) ?? Data()
        return uncached("application/problem+json", status, Array(body), wait)
    }

    /// A value as JSON.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> ServerResponse {
        uncached("application/json", status, Array(try encoder.encode(value)))
    }

    /// A line of text for a person at a terminal.
    public static func text(_ status: Int, _ line: String) -> ServerResponse {
        uncached("text/plain; charset=utf-8", status, Array("\(line)\n".utf8))
    }

    /// A response that no cache may keep.
    private static func uncached(
        _ type: String, _ status: Int, _ body: [UInt8], _ more: [(name: String, value: String)] = []
    ) -> ServerResponse {
        let headers = [(name: "Content-Type", value: type), (name: "Cache-Control", value: "no-store")] + more
        return ServerResponse(status: status, headers: headers, body: body)
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The head and the body as they are sent; the head only, if a stream follows.
    ///
    /// - Parameter isHead: whether to leave out the body, because the request was HEAD.
    func bytes(isHead: Bool = false) -> [UInt8] {
        let length = stream == nil ? [(name: "Content-Length", value: "\(body.count)")] : []
        let fields = headers + Self.fixedHeaders + length + [(name: "Connection", value: "close")]
        let lines =
            ["HTTP/1.1 \(status) \(Self.reasonPhrases[status] ?? "Status")"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (isHead ? [] : body)
    }

    private struct Problem: Encodable {
        let status: Int
        let title: String
    }

    /// What browsers must not do with any response.
    private static let fixedHeaders = [
        (name: "X-Content-Type-Options", value: "nosniff"), (name: "Referrer-Policy", value: "no-referrer"),
        (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    ]
    /// The names of the status codes that are used here (RFC 9110, section 15).
    private static let reasonPhrases = [
        200: "OK", 201: "Created", 204: "No Content", 302: "Found", 304: "Not Modified", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
        411: "Length Required", 413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
        422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 503: "Service Unavailable",
    ]
}
