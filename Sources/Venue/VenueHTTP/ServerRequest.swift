import Syntax

/// A request of HTTP/1.1 (RFC 9112). Everybody in the venue's network can send one, so each part has a bound.
public struct ServerRequest: Hashable, Sendable {
    public let method: String
    /// The path, without the query.
    public let path: String
    /// The header fields by their names in lower case.
    public internal(set) var headers: [String: String]
    public internal(set) var body: [UInt8]

    public init(method: String, path: String, headers: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// Reads one request from the bytes of a connection, as they arrive.
struct RequestReader {
    /// A request that is not read any further; the status is the answer to it.
    struct Refusal: Error, Hashable {
        let status: Int
    }

    /// The maximum length of the request line and the header fields together.
    static let maximumHead = 8192
    /// The maximum number of header fields: a browser sends about 15.
    static let maximumFields = 50
    /// The maximum length of a body: a code, an answer, or a display's name.
    static let maximumBody = 1024
    /// Fields that may not be repeated, since two values could be read in two ways.
    private static let single: Set = ["host", "origin", "content-length", "content-type", "cookie"]

    private var bytes: [UInt8] = []
    /// The number of bytes that were searched for the end of the head.
    private var searched = 0
    /// The head once it has been read, and where the body is.
    private var head: (request: ServerRequest, bodyStart: Int, bodyLength: Int)?

    /// Adds bytes of the connection.
    ///
    /// - Returns: the request once it is complete.
    mutating func read(_ more: [UInt8]) throws(Refusal) -> ServerRequest? {
        bytes += more
        if head == nil {
            guard let end = endOfHead() else {
                guard bytes.count <= Self.maximumHead else { throw Refusal(status: 431) }
                return nil
            }
            guard end <= Self.maximumHead else { throw Refusal(status: 431) }
            let request = try Self.parseHead(bytes[..<end])
            head = (request, end + 4, try Self.bodyLength(of: request))
        }
        guard let head, bytes.count >= head.bodyStart + head.bodyLength else { return nil }
        var request = head.request
        request.body = Array(bytes[head.bodyStart..<head.bodyStart + head.bodyLength])
        return request
    }

    /// The position of the empty line after the head.
    private mutating func endOfHead() -> Int? {
        guard bytes.count >= searched + 4 else { return nil }
        // CR LF CR LF.
        for start in searched...bytes.count - 4 where bytes[start] == 0x0D {
            if bytes[start + 1] == 0x0A, bytes[start + 2] == 0x0D, bytes[start + 3] == 0x0A { return start }
        }
        searched = bytes.count - 3
        return nil
    }

    /// Parses the request line and the header fields.
    private static func parseHead(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> ServerRequest {
        // A tab is the only control character that a field may contain (RFC 9110, section 5.5). Browsers send nothing
        // but ASCII, and to hash a path or a name, Swift sorts its combining marks.
        let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) || [0x09, 0x0A, 0x0D].contains($0) }
        guard isText else { throw Refusal(status: 400) }
        let rows = bytes.split(separator: 0x0A, maxSplits: maximumFields + 1)
        guard rows.count <= maximumFields + 1 else { throw Refusal(status: 431) }
        let lines = rows.map { String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self) }
        let parts = (lines.first ?? "").split(at: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].begins(with: "/"), ["HTTP/1.1", "HTTP/1.0"].contains(parts[2]) else {
            throw Refusal(status: 400)
        }
        var request = ServerRequest(method: String(parts[0]), path: String(parts[1].part(beforeScalar: { $0 == "?" })))
        for line in lines.dropFirst() {
            let parts = line.split(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !line.begins(with: " "), !line.begins(with: "\t") else {
                throw Refusal(status: 400)
            }
            let name = parts[0].lowercased()
            guard request.headers[name] == nil || !single.contains(name) else { throw Refusal(status: 400) }
            request.headers[name] = String(parts[1].trimming(scalars: \.isBlank))
        }
        return request
    }

    /// The length of the body in bytes, as the header says.
    private static func bodyLength(of request: ServerRequest) throws(Refusal) -> Int {
        guard request.headers["transfer-encoding"] == nil else { throw Refusal(status: 411) }
        guard let text = request.headers["content-length"] else { return 0 }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let length = Int(text) else { throw Refusal(status: 400) }
        guard length <= maximumBody else { throw Refusal(status: 413) }
        return length
    }
}
