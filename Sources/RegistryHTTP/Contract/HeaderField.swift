import HTTPTypes
import RegistryAPI

/// A header field of a response.
struct HeaderField {
    let name: HTTPField.Name
    let summary: String
    let schema: JSONSchema

    private init(_ name: HTTPField.Name, _ summary: String, _ schema: JSONSchema = .type("string")) {
        self.name = name
        self.summary = summary
        self.schema = schema
    }

    static let requestID = HeaderField(.init("X-Request-Id") ?? .server, "Names the request in the registry’s log.")
    static let location = HeaderField(
        .location, "The path of what was made.", .type("string", ["format": "uri-reference"]))
    static let eTag = HeaderField(.eTag, "The version of what is answered, for If-Match and If-None-Match.")
    static let link = HeaderField(
        .init("Link") ?? .server, "The next page, as rel=\"next\" (RFC 8288); absent on the last.")
    static let retryAfter = HeaderField(
        .retryAfter, "Seconds to wait.", .type("string", ["pattern": "^[0-9]+$"])
    )
    static let authenticate = HeaderField(.wwwAuthenticate, "How to show a token (RFC 6750).")
    static let instanceManipulation = HeaderField(.iM, "What the body is in place of the whole (RFC 3229).")
    static let allow = HeaderField(.allow, "The methods that the path takes.")

    static let all = [requestID, location, eTag, link, retryAfter, authenticate, allow]
}

/// A parameter of a call in addition to its body.
struct Parameter {
    enum Place: String {
        case path, query, header
    }

    let name: String
    let place: Place
    let summary: String
    let schema: JSONSchema
    var isRequired = false
    var example: JSONValue?

    static func path(_ name: String) -> Parameter {
        Parameter(name: name, place: .path, summary: "The identifier.", schema: .uuid, isRequired: true)
    }

    static let code = Parameter(
        name: "code", place: .query, summary: "What the message’s link holds.", schema: .type("string"),
        isRequired: true
    )
    static let cursor = Parameter(
        name: "cursor", place: .query, summary: "‘next’ of the page before; absent for the first.",
        schema: .type("string", ["minLength": .integer(1)])
    )
    static let limit = Parameter(
        name: "limit", place: .query, summary: "How many items at most; \(Paging.defaultLimit) unless told.",
        schema: .integer(1...Int64(Paging.maximumLimit))
    )
    static let idempotencyKey = Parameter(
        name: "Idempotency-Key", place: .header,
        summary: "Any text, a new UUID best: calls repeated with it happen once, and get the first one’s answer.",
        schema: .type("string", ["pattern": "^[!-~]{1,255}$", "minLength": .integer(1), "maxLength": .integer(255)])
    )
    static let ifMatch = Parameter(
        name: "If-Match", place: .header, summary: "The ETag of what the caller has seen: only that is changed.",
        schema: .type("string", ["minLength": .integer(1)]), isRequired: true
    )
    static let recoveryCode = Parameter(
        name: RecoveryCodeField.name, place: .header,
        summary: "One of the owner’s recovery codes: needed while a bike is missing, so that no thief can do this.",
        schema: .type("string")
    )
    static let lastEventID = Parameter(
        name: "Last-Event-ID", place: .header, summary: "With `text/event-stream`: the last event that arrived.",
        schema: .type("string")
    )
    static let quarantineSince = Parameter(
        name: "quarantineSince", place: .query, summary: "What the station told from then on is trusted no longer.",
        schema: .dateTime
    )
    static let appKey = Parameter(
        name: "key", place: .query, summary: "The operator’s key for the app.", schema: .type("string"),
        isRequired: true
    )
    static let instanceManipulations = Parameter(
        name: HTTPField.Name.aIM.rawName, place: .header,
        summary:
            "`\(MissingListRequest.deltaEncoding)` where changes of the version in If-None-Match are welcome (RFC 3229).",
        schema: .type("string")
    )
    static let prefer = Parameter(
        name: HTTPField.Name.prefer.rawName, place: .header,
        summary: """
            `wait=` and how many seconds the answer may wait for a change (RFC 7240), at most \
            \(MissingListRequest.longestWait). One question of a station waits at a time.
            """,
        schema: .type("string")
    )
    static let ifNoneMatch = Parameter(
        name: "If-None-Match", place: .header, summary: "The ETag of what the caller has: 304 where it is current.",
        schema: .type("string")
    )
}
