import Foundation

/// A response of HTTP/1.1, after which the connection is closed.
struct DisplayResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// A problem in the registry's form (RFC 9457). The page looks only at the status.
    static func problem(_ status: Int, _ title: String, retryAfter: Int? = nil) -> DisplayResponse {
        let body = (try? JSONEncoder().encode(Problem(status: status, title: title))) ?? Data()
        let wait = retryAfter.map { [(name: "Retry-After", value: "\($0)")] } ?? []
        return DisplayResponse(
            status: status,
            headers: [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")] + wait,
            body: Array(body))
    }

    static func json(_ value: some Encodable, status: Int = 200) throws -> DisplayResponse {
        DisplayResponse(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Array(try JSONEncoder().encode(value)))
    }

    /// - Parameter isHead: whether the body is left out, as for a request with HEAD.
    func bytes(isHead: Bool = false) -> Data {
        let fields =
            headers + Self.always + [("Content-Length", "\(body.count)"), ("Connection", "close")]
        let lines =
            ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")"] + fields.map { "\($0.name): \($0.value)" }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (isHead ? [] : body)
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
        500: "Internal Server Error",
    ]
}
