import Syntax

/// The body of every error response (RFC 9457), media type `application/problem+json`.
public struct ProblemDetails: Codable, Hashable, Sendable, Error {
    /// A stable URI that identifies the kind of problem; programs compare its ``name``.
    public var type: String
    /// The kind of problem in a few words; the same for each occurrence.
    public var title: String
    /// The HTTP status code.
    public var status: Int
    /// The error in this case and its remedy.
    public var detail: String
    /// Each refused field; empty if the problem is not about fields.
    public var errors: [FieldError]?

    public init(type: String, title: String, status: Int, detail: String, errors: [FieldError]? = nil) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.errors = errors
    }

    /// - Parameter name: the registry's name for this kind of problem, such as `code-unusable`.
    public init(name: String, title: String, status: Int, detail: String, errors: [FieldError]? = nil) {
        self.init(type: Self.prefix + name, title: title, status: status, detail: detail, errors: errors)
    }

    /// The registry's name for this kind of problem; nil for the problem of another server, such as a proxy.
    public var name: String? { type.dropping(prefix: Self.prefix).map { String($0) } }

    private static let prefix = "urn:findmybike:problem:"
}

/// One refused field of a request.
public struct FieldError: Codable, Hashable, Sendable {
    /// The position of the field, as a JSON pointer (RFC 6901) into the request's body.
    public var pointer: String
    /// The error, and the expected value.
    public var detail: String

    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// Media types of the API.
public enum MediaType {
    public static let json = "application/json"
    public static let problem = "application/problem+json"
    /// RFC 7946.
    public static let geoJSON = "application/geo+json"
    public static let gpx = "application/gpx+xml"
    /// RFC 4180.
    public static let csv = "text/csv"
    /// Server-sent events (WHATWG HTML, section 9.2).
    public static let eventStream = "text/event-stream"
    /// The body of a PATCH request (RFC 7396); plain JSON is handled in the same way.
    public static let mergePatch = "application/merge-patch+json"
    /// A photo (ITU-T T.81).
    public static let jpeg = "image/jpeg"
    /// The missing list and its changes, specified in docs/missing-list.md.
    public static let missingList = "application/vnd.findmybike.missing-list"
}

extension FieldError: WireObject, JSONWritable {
    public static let blank = FieldError(pointer: "", detail: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("pointer", pointer, .text(0...Int.max))
        fields.answered("detail", detail, .text(0...Int.max))
    }
}
