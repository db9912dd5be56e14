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
    case invalidWait
    /// Another long poll of the same station began.
    case waitDisplaced
    /// The connection broke or the body's framing is wrong.
    case unreadableBody

    var problem: ProblemDetails {
        ProblemDetails(type: ProblemType.uri(name), title: title, status: status.code, detail: detail)
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .malformedBody, .invalidCursor, .invalidLimit, .invalidIdempotencyKey, .invalidWait, .unreadableBody:
            .badRequest
        case .waitDisplaced: .conflict
        case .bodyTooLarge, .tooManyVisits: .contentTooLarge
        case .wrongMediaType: .unsupportedMediaType
        case .unknownPath: .notFound
        case .methodNotAllowed: .methodNotAllowed
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
        case .invalidWait: "invalid-wait"
        case .waitDisplaced: "wait-displaced"
        case .unreadableBody: "unreadable-body"
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
        case .invalidWait: "There is no such wait"
        case .waitDisplaced: "The station asked again"
        case .unreadableBody: "The body cannot be read"
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
        case .invalidIdempotencyKey: "Send 1 to 255 visible ASCII characters, a new UUID for instance."
        case .invalidWait: "Send ‘Prefer: wait=’ with a whole number of seconds, or leave it out."
        case .waitDisplaced:
            "Another question with ‘Prefer: wait’ came with a token of this station. Let one program ask at a time."
        case .unreadableBody: "The body did not arrive whole. Send the request again."
        }
    }
}

/// The URIs that name kinds of problems.
enum ProblemType {
    static func uri(_ name: String) -> String { "urn:findmybike:problem:\(name)" }
}
