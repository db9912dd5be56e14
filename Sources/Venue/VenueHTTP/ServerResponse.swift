import Foundation

/// A response of HTTP/1.1, after which the connection is closed.
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
        return made("application/problem+json", status, Array(body), wait)
    }

    public static func json(_ value: some Encodable, status: Int = 200) throws -> ServerResponse {
        made("application/json", status, Array(try encoder.encode(value)))
    }

    /// A line of text for a person at a terminal.
    public static func text(_ status: Int, _ line: String) -> ServerResponse {
        made("text/plain; charset=utf-8", status, Array("\(line)\n".utf8))
    }

    private static func made(
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

    /// The response as the connection carries it, without a stream.
    ///
    /// - Parameter isHead: whether the body is left out, as for a request with HEAD.
    func bytes(isHead: Bool = false) -> [UInt8] {
        let length = stream == nil ? [(name: "Content-Length", value: "\(body.count)")] : []
        let fields = headers + Self.always + length + [(name: "Connection", value: "close")]
        let lines =
            ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (isHead ? [] : body)
    }

    private struct Problem: Encodable {
        let status: Int
        let title: String
    }

    private static let always = [
        (name: "X-Content-Type-Options", value: "nosniff"), (name: "Referrer-Policy", value: "no-referrer"),
        (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    ]
    private static let reasons = [
        200: "OK", 201: "Created", 204: "No Content", 302: "Found", 304: "Not Modified", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
        411: "Length Required", 413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
        422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 503: "Service Unavailable",
    ]
}
