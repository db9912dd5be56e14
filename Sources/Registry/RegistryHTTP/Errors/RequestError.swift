import HTTPTypes
import RegistryAPI
import RegistryRules

/// An error in a request that is found before the domain's rules run.
enum RequestError: Error {
    /// The body is malformed JSON; contains the position of the error.
    case malformedBody(JSONSyntaxError)
    /// The body is longer than this many bytes.
    case bodyTooLarge(limit: Int)
    /// A station's batch has this many visits.
    case tooManyVisits(Int)
    /// The call takes JSON.
    case wrongMediaType
    /// The call takes photos.
    case notPhoto
    /// The call takes the form of a page.
    case notForm
    case unknownPath
    case methodNotAllowed(allowed: [HTTPRequest.Method])
    /// `?cursor=` is not one that a list has given.
    case invalidCursor
    /// `?limit=` is not a number from 1 to this one.
    case invalidLimit(maximum: Int)
    case invalidIdempotencyKey
    /// A query parameter is invalid; contains the expected form.
    case invalidQuery(String, form: String)
    /// A time in the query is invalid.
    case invalidTime(parameter: String)
    /// The original app sent a different key than the operator's.
    case wrongAppKey
    /// The caller accepts none of the offered media types.
    case notAcceptable(offered: [String])
    /// A change was sent without `If-Match`.
    case preconditionRequired
    /// `Prefer: wait=` is not a number of seconds.
    case invalidWait
    /// Another site made the browser send the request.
    case crossSite
    /// The same station or partner began another long poll.
    case waitDisplaced
    /// The connection broke, or the framing of the body is wrong.
    case unreadableBody
    /// There were more requests than the rate allows; the next is allowed after this many seconds.
    case tooManyRequests(retryAfter: Int)
    /// The map's source gives no tile at the moment; it is asked again after this many seconds.
    case tilesUnavailable(retryAfter: Int)
    /// Calls cannot succeed at the moment; whether the database has not answered in time.
    case notReady(isLate: Bool)
    case headerTooLarge
    /// The input is not an HTTP request.
    case malformedRequest
    /// The body did not arrive in time.
    case tooSlow
    /// The upload was the slowest when another one waited for its place.
    case placeLost
}

extension RequestError {
    static let invalidDay = RequestError.invalidQuery("day", form: "a date as in 2026-11-21")
}

extension RequestError: Refusal {
    var problem: Problem {
        switch self {
        case .malformedBody(let error):
            Problem(
                .badRequest, "malformed-json", "The body is not JSON",
                "The JSON is invalid at \(error). Correct it and send the request again.")
        case .bodyTooLarge(let limit):
            Problem(
                .contentTooLarge, "too-large", "The request is too large",
                "The body exceeds \(limit) bytes. Send less at once.")
        case .tooManyVisits(let count):
            Problem(
                .contentTooLarge, "too-large", "The request is too large",
                "The batch has \(count) visits; at most \(VisitBatch.maximumCount) are accepted. Split it.")
        case .wrongMediaType:
            Problem(
                .unsupportedMediaType, "wrong-media-type", "The body must be JSON",
                "Send the body with ‘Content-Type: \(MediaType.json)’.")
        case .notPhoto:
            Problem(
                .unsupportedMediaType, "wrong-media-type", "The body must be a JPEG photo",
                "Send the photo with ‘Content-Type: \(MediaType.jpeg)’. Save pictures of other formats as JPEG first.")
        case .notForm:
            Problem(
                .unsupportedMediaType, "wrong-media-type", "The body must be a form",
                "Send the form with ‘Content-Type: \(FormFields.mediaType)’.")
        case .unknownPath:
            Problem(
                .notFound, "not-found", "Not found",
                "This path does not exist. The API is under /v1.")
        case .methodNotAllowed(let allowed):
            Problem(
                .methodNotAllowed, "method-not-allowed", "Method not allowed",
                "This path accepts \(allowed.map(\.rawValue).joined(separator: ", ")).",
                [.allow: allowed.map(\.rawValue).joined(separator: ", ")])
        case .invalidCursor:
            Problem(
                .badRequest, "invalid-page", "The page is invalid",
                "Take the cursor from ‘next’ of the previous page, or leave it out for the first page.")
        case .invalidLimit(let maximum):
            Problem(
                .badRequest, "invalid-page", "The page is invalid",
                "The limit must be a whole number from 1 to \(maximum).")
        case .invalidIdempotencyKey:
            Problem(
                .badRequest, "invalid-idempotency-key", "The Idempotency-Key cannot be used",
                "Send 1 to 255 visible ASCII characters, such as a new UUID.")
        case .invalidQuery(let name, let form):
            Problem(
                .badRequest, "invalid-query", "The query cannot be read",
                "‘\(name)’ must be \(form).")
        case .invalidTime(let parameter):
            Problem(
                .badRequest, "invalid-time", "The time cannot be read",
                "‘\(parameter)’ must be a time as in 2026-11-21T06:13:05Z (RFC 3339); percent-encode a plus sign."
            )
        case .wrongAppKey:
            Problem(
                .forbidden, "wrong-key", "This is not the app’s key",
                "Ask the registry’s operator for the value of ‘key’.")
        case .notAcceptable(let offered):
            Problem(
                .notAcceptable, "not-acceptable", "Not available in this format",
                "Set ‘Accept’ to one of \(offered.joined(separator: ", ")).")
        case .preconditionRequired:
            Problem(
                .preconditionRequired, "precondition-required", "If-Match is needed",
                "Get it first, and send its ETag in If-Match, so that you change the version that you have read.")
        case .invalidWait:
            Problem(
                .badRequest, "invalid-wait", "The wait is invalid",
                "Send ‘Prefer: wait=’ with a whole number of seconds, or leave it out.")
        case .waitDisplaced:
            Problem(
                .conflict, "wait-displaced", "Another request waits",
                "Another request with ‘Prefer: wait’ used the same token. Run only one monitor with a station’s token."
            )
        case .crossSite:
            Problem(
                .forbidden, "cross-site", "The request came from another site",
                "A browser must send this request from a page of this registry. Programs send a token, or no ‘Origin’.")
        case .unreadableBody:
            Problem(
                .badRequest, "unreadable-body", "The body cannot be read",
                "The body did not arrive whole. Send the request again.")
        case .tooManyRequests(let seconds):
            Problem(
                .tooManyRequests, "too-many-requests", "Too many requests",
                "Wait \(seconds) s, as Retry-After says, and send the request again.",
                [.retryAfter: "\(seconds)"])
        case .tilesUnavailable(let seconds):
            Problem(
                .serviceUnavailable, "tiles-unavailable", "There is no map at the moment",
                "The map’s source does not answer. Show the trail without a map, and try again after \(seconds) s.",
                [.retryAfter: "\(seconds)"])
        case .notReady(let isLate):
            Problem(
                .serviceUnavailable, "not-ready", "The registry is not ready",
                (isLate ? "Its database has not answered in time." : "Its database cannot be read or written now.")
                    + " The operator finds the reason in the registry’s log.",
                [.retryAfter: "5"])
        case .headerTooLarge:
            Problem(
                .requestHeaderFieldsTooLarge, "header-too-large", "The header is too large",
                "Send fewer and shorter header fields, and a shorter URL.")
        case .malformedRequest:
            Problem(
                .badRequest, "malformed-request", "This is not an HTTP request",
                "Send HTTP/1.1 as RFC 9112 specifies, or HTTP/2 as RFC 9113 does.")
        case .tooSlow:
            Problem(
                .requestTimeout, "too-slow", "The request took too long",
                "The body did not arrive in time. Send less at once, or use a faster connection.")
        case .placeLost:
            Problem(
                .serviceUnavailable, "place-lost", "Another upload took the place",
                "Too many photos are being sent at the moment, and yours was the slowest. Send it again later, make it smaller, "
                    + "or use a faster connection.",
                [.retryAfter: "30"])
        }
    }
}

extension RequestRefusal: Refusal {
    var problem: Problem {
        switch self {
        case .malformed(let error): RequestError.malformedBody(error).problem
        case .fields(let errors): DomainError.invalidFields(errors).problem
        case .tooManyVisits(let count): RequestError.tooManyVisits(count).problem
        }
    }
}
