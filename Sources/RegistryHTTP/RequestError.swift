import HTTPTypes
import RegistryAPI

/// What is wrong with a request before any rule of the domain is asked.
enum RequestError: Error {
    /// Malformed JSON, with the place where it breaks.
    case malformedBody(JSONSyntaxError)
    case bodyTooLarge(limit: Int)
    case tooManyVisits(Int)
    case wrongMediaType
    case unknownPath
    case methodNotAllowed(allowed: [HTTPRequest.Method])
    case invalidCursor
    case invalidLimit(maximum: Int)
    case invalidIdempotencyKey
    /// A field of the query with the form that it must have.
    case invalidQuery(String, form: String)
    /// A time in the query that is none.
    case invalidTime(parameter: String)
    /// The original app came with another key than the operator's.
    case wrongAppKey
    /// None of the media types that the caller takes is one of these.
    case notAcceptable(offered: [String])
    /// A change came without `If-Match`.
    case preconditionRequired
    case invalidWait
    /// Another long poll of the same station began.
    case waitDisplaced
    /// The connection broke or the body's framing is wrong.
    case unreadableBody
    /// More than is allowed in a time.
    case tooManyRequests(retryAfter: Int)
    case headerTooLarge
    /// What arrived is no request of HTTP.
    case malformedRequest
    /// The body did not arrive in time.
    case tooSlow

    var problem: ProblemDetails {
        ProblemDetails(type: ProblemType.uri(name), title: title, status: status.code, detail: detail)
    }

    /// Header fields that belong to the status.
    var headers: HTTPFields {
        switch self {
        case .methodNotAllowed(let allowed): [.allow: allowed.map(\.rawValue).joined(separator: ", ")]
        case .tooManyRequests(let seconds): [.retryAfter: "\(seconds)"]
        default: [:]
        }
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .malformedBody, .invalidCursor, .invalidLimit, .invalidIdempotencyKey, .invalidQuery, .invalidTime,
            .invalidWait, .unreadableBody, .malformedRequest:
            .badRequest
        case .wrongAppKey: .forbidden
        case .waitDisplaced: .conflict
        case .notAcceptable: .notAcceptable
        case .bodyTooLarge, .tooManyVisits: .contentTooLarge
        case .wrongMediaType: .unsupportedMediaType
        case .unknownPath: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .tooManyRequests: .tooManyRequests
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .tooSlow: .requestTimeout
        case .preconditionRequired: .preconditionRequired
        }
    }

    private var name: String {
        switch self {
        case .malformedBody: "malformed-json"
        case .bodyTooLarge, .tooManyVisits: "too-large"
        case .wrongMediaType: "wrong-media-type"
        case .unknownPath: "not-found"
        case .methodNotAllowed: "method-not-allowed"
        case .invalidCursor, .invalidLimit: "invalid-page"
        case .invalidIdempotencyKey: "invalid-idempotency-key"
        case .invalidQuery: "invalid-query"
        case .invalidTime: "invalid-time"
        case .wrongAppKey: "wrong-key"
        case .notAcceptable: "not-acceptable"
        case .preconditionRequired: "precondition-required"
        case .invalidWait: "invalid-wait"
        case .waitDisplaced: "wait-displaced"
        case .unreadableBody: "unreadable-body"
        case .tooManyRequests: "too-many-requests"
        case .headerTooLarge: "header-too-large"
        case .malformedRequest: "malformed-request"
        case .tooSlow: "too-slow"
        }
    }

    private var title: String {
        switch self {
        case .malformedBody: "The body is not JSON"
        case .bodyTooLarge, .tooManyVisits: "The request is too large"
        case .wrongMediaType: "The body must be JSON"
        case .unknownPath: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .invalidCursor, .invalidLimit: "There is no such page"
        case .invalidIdempotencyKey: "The Idempotency-Key cannot be used"
        case .invalidQuery: "The query cannot be read"
        case .invalidTime: "The time cannot be read"
        case .wrongAppKey: "This is not the app’s key"
        case .notAcceptable: "No such form is offered"
        case .preconditionRequired: "If-Match is needed"
        case .invalidWait: "There is no such wait"
        case .waitDisplaced: "The station asked again"
        case .unreadableBody: "The body cannot be read"
        case .tooManyRequests: "Too many requests"
        case .headerTooLarge: "The header is too large"
        case .malformedRequest: "This is no HTTP request"
        case .tooSlow: "The request took too long"
        }
    }

    private var detail: String {
        switch self {
        case .malformedBody(let error): "The JSON breaks at \(error). Correct it and send the request again."
        case .bodyTooLarge(let limit): "The body exceeds \(limit) bytes. Send less at once."
        case .tooManyVisits(let count):
            "The batch has \(count) visits; at most \(VisitBatch.maximumCount) are taken. Split it."
        case .wrongMediaType: "Send the body with ‘Content-Type: \(MediaType.json)’."
        case .unknownPath: "This registry has no such path. Its calls are under /v1."
        case .methodNotAllowed(let allowed):
            "This path takes \(allowed.map(\.rawValue).joined(separator: ", "))."
        case .invalidCursor: "Take the cursor from ‘next’ of the page before, or leave it out for the first page."
        case .invalidLimit(let maximum): "The limit must be a whole number from 1 to \(maximum)."
        case .invalidTime(let parameter):
            "‘\(parameter)’ must be a time as in 2026-11-21T06:13:05Z (RFC 3339), percent-encoded where it has a plus sign."
        case .wrongAppKey: "Ask the registry’s operator for the value of ‘key’."
        case .notAcceptable(let offered): "Ask with ‘Accept’ for one of \(offered.joined(separator: ", "))."
        case .invalidIdempotencyKey: "Send 1 to 255 visible ASCII characters, a new UUID for instance."
        case .invalidQuery(let name, let form): "‘\(name)’ must be \(form)."
        case .preconditionRequired:
            "Get it first, and send its ETag in If-Match, so that you change what you have seen."
        case .invalidWait: "Send ‘Prefer: wait=’ with a whole number of seconds, or leave it out."
        case .waitDisplaced:
            "Another question with ‘Prefer: wait’ came with a token of this station. Let one program ask at a time."
        case .unreadableBody: "The body did not arrive whole. Send the request again."
        case .tooManyRequests(let seconds): "Wait \(seconds) s, as Retry-After says, and send the request again."
        case .headerTooLarge: "Send fewer and shorter header fields, and a shorter URL."
        case .malformedRequest: "Send HTTP/1.1 as RFC 9112 says."
        case .tooSlow: "The body did not arrive in time. Send less at once, or over a faster line."
        }
    }
}

/// The URIs that name kinds of problems.
enum ProblemType {
    static func uri(_ name: String) -> String { "urn:findmybike:problem:\(name)" }
}
