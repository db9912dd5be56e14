import HTTPTypes
import RegistryAPI

/// A parameter of a call in addition to its body.
struct Parameter {
    /// Where the parameter is; the raw values are OpenAPI's.
    enum Place: String {
        case path, query, header
    }

    let name: String
    let place: Place
    let summary: String
    let schema: JSONSchema
    var isRequired = false
    var example: JSONValue?

    /// The identifier of a resource in the path.
    static func path(_ name: String) -> Parameter {
        Parameter(name: name, place: .path, summary: "The identifier.", schema: .uuid, isRequired: true)
    }

    static let code = Parameter(
        name: "code", place: .query, summary: "The code from the message’s link.", schema: .type("string"),
        isRequired: true
    )
    static let cursor = Parameter(
        name: "cursor", place: .query, summary: "`next` of the previous page; absent for the first.",
        schema: .type("string", ["minLength": .integer(1)])
    )
    static let limit = Parameter(
        name: "limit", place: .query, summary: "The maximum number of items; \(Paging.defaultLimit) by default.",
        schema: .integer(1...Int64(Paging.maximumLimit))
    )
    static let idempotencyKey = Parameter(
        name: "Idempotency-Key", place: .header,
        summary: "Any text, preferably a new UUID. A request repeated with it has one effect, and one response.",
        schema: .type("string", ["pattern": "^[!-~]{1,255}$", "minLength": .integer(1), "maxLength": .integer(255)])
    )
    static let ifMatch = Parameter(
        name: "If-Match", place: .header, summary: "The ETag that the caller has read: only this version is changed.",
        schema: .type("string", ["minLength": .integer(1)]), isRequired: true
    )
    static let recoveryCode = Parameter(
        name: RecoveryCodeField.name, place: .header,
        summary: "One of the owner’s recovery codes: needed while a bike is missing, as protection from a thief.",
        schema: .type("string")
    )
    static let lastEventID = Parameter(
        name: "Last-Event-ID", place: .header, summary: "With `text/event-stream`: the last event received.",
        schema: .type("string")
    )
    static let quarantineSince = Parameter(
        name: "quarantineSince", place: .query,
        summary: "What was reported from this time on is not trusted. The time must not be in the future.",
        schema: .dateTime
    )
    static let day = Parameter(
        name: "day", place: .query, summary: "The day in UTC; by default today.", schema: .calendarDate
    )
    static let appKey = Parameter(
        name: "key", place: .query, summary: "The operator’s key for the app.", schema: .type("string"),
        isRequired: true
    )
    static let instanceManipulations = Parameter(
        name: HTTPField.Name.aIM.rawName, place: .header,
        summary:
            "`\(MissingListRequest.deltaEncoding)` to get only changes since the version in If-None-Match (RFC 3229).",
        schema: .type("string")
    )
    static let prefer = Parameter(
        name: HTTPField.Name.prefer.rawName, place: .header,
        summary: """
            `wait=` and the number of seconds to wait for a change (RFC 7240), at most \
            \(MissingListRequest.longestWait). Only one request of a station waits at a time.
            """,
        schema: .type("string")
    )
    static let ifNoneMatch = Parameter(
        name: "If-None-Match", place: .header, summary: "The ETag of the caller’s copy: 304 if it is current.",
        schema: .type("string")
    )
}
