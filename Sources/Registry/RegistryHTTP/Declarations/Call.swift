import HTTPTypes
import NIOCore
import RegistryAPI
import RegistryRules

/// One call: who may make it, its limits, and its description in the contract. Its handler is registered with it
/// (``CallDeclaration``).
struct Call: Sendable {
    /// A body that the call accepts.
    struct Body: Sendable {
        /// The name of the body's type.
        let name: String
        let mediaTypes: [String]
        let presence: Presence
        /// The schema. Bounds that change with time, such as next year, are those of `now`.
        let schema: @Sendable (_ now: Timestamp) -> JSONSchema
        /// An example; nil if the contract shows none.
        var example: @Sendable () -> JSONValue? = { nil }
        /// The errors that the server would find in the example.
        var refusals: @Sendable (_ now: Timestamp) -> [FieldError] = { _ in [] }

        enum Presence {
            case required
            /// An empty body counts as an empty object, and the media type is ignored.
            case optional
        }
    }

    /// A representation of a response.
    struct Content: Sendable {
        let mediaType: String
        /// The schema; types that it refers to become components.
        let schema: @Sendable (_ components: inout [String: JSONSchema]) throws -> JSONSchema
        var example: @Sendable () -> JSONValue? = { nil }
    }

    /// A response that is not a refusal.
    struct Answer: Sendable {
        let status: HTTPResponse.Status
        let summary: String
        /// The representations of the body; empty if it has none.
        let content: [Content]
        /// The header fields in addition to those of every response.
        let headers: [HeaderField]
    }

    /// The limit of most bodies in bytes: enough for every field of a call at its maximum length, with each character
    /// escaped as JSON allows.
    static let usualBodyLimit = 8 << 10

    let method: HTTPRequest.Method
    /// The pattern of the path, such as `/v1/bikes/:bike`. A segment that begins with a colon is a parameter.
    let path: String
    let access: Access
    /// What the call does, in a few words for the contract.
    let summary: String
    /// What a caller must know besides, in Markdown; nil if that is nothing.
    let details: String?
    /// The maximum length of the body in bytes; nil if the handler reads the body itself, or there is none.
    var bodyLimit: Int?
    /// The limit for requests from an address in addition to the one for all its requests.
    var rate: RateLimits.Kind?
    /// The name of the resource whose current state the caller must give in `If-Match`; nil if the call needs none.
    var precondition: String?
    /// What an operator's session needs for this call; by default, each change needs a confirmation.
    var proof: DeskProof
    /// Whether the call counts as a use of an operator's session.
    var isUse = true
    var body: Body?
    var parameters: [Parameter] = []
    var answers: [Answer] = []
    var refusals: [any Refusal] = []

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ summary: String, _ details: String? = nil
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.summary = summary
        self.details = details
        bodyLimit = method == .get ? nil : Self.usualBodyLimit
        proof = method == .get ? .session : .confirmation
    }
}

extension Call.Content {
    /// JSON of a type.
    static func json<Value: Codable & Sendable>(
        _ example: @autoclosure @escaping @Sendable () -> Value
    ) -> Call.Content {
        Call.Content(
            mediaType: MediaType.json, schema: { try JSONSchema(of: Value.self, components: &$0) },
            example: { JSONBody.value(example()) })
    }

    /// A form that the contract does not describe any further.
    static func opaque(
        _ mediaType: String, _ schema: @autoclosure @escaping @Sendable () -> JSONSchema = .binary
    ) -> Call.Content {
        Call.Content(mediaType: mediaType, schema: { _ in schema() })
    }

    /// A page for people.
    static var page: Call.Content { .opaque(LinkPage.mediaType, .type("string")) }

    /// A live trail: server-sent events with the sightings of a type that the contract describes.
    static func events<Sighting: Codable & Sendable>(
        of sighting: @autoclosure @escaping @Sendable () -> Sighting
    ) -> Call.Content {
        let description = """
            Server-sent events, each named `sighting`: first all sightings, then each new or changed one. `data` is one \
            `\(Sighting.self)` as JSON, `id` a whole number to send as `Last-Event-ID`. Comments keep the connection alive.
            """
        return Call.Content(
            mediaType: MediaType.eventStream,
            schema: { _ in .type("string", ["description": .string(description)]) },
            example: {
                let event = (try? JSONBody.encode(sighting())).map { TrailEvent(revision: 7, data: $0).text }
                return event.map { .string(String(buffer: $0)) }
            })
    }
}

extension Call.Body {
    /// JSON of a type that the contract describes.
    static func json<Value: WireObject & Encodable & Sendable>(
        _ example: @autoclosure @escaping @Sendable () -> Value, _ presence: Presence,
        _ unknownFields: UnknownFields
    ) -> Call.Body {
        .json(example(), Value.rule(now:), presence, unknownFields, [MediaType.json], "\(Value.self)")
    }

    /// A merge patch of a resource.
    static func patch<Resource: WireObject & Sendable>(
        _ example: @autoclosure @escaping @Sendable () -> Patch<Resource>
    ) -> Call.Body {
        .json(
            example(), Patch<Resource>.rule(now:), .required, .refused, [MediaType.json, MediaType.mergePatch],
            "\(Resource.self)Patch")
    }

    private static func json<Value: Encodable & Sendable>(
        _ example: @autoclosure @escaping @Sendable () -> Value,
        _ rule: @escaping @Sendable (Timestamp) -> FieldRule<Value>, _ presence: Presence,
        _ unknownFields: UnknownFields, _ mediaTypes: [String], _ name: String
    ) -> Call.Body {
        Call.Body(
            name: name, mediaTypes: mediaTypes, presence: presence,
            schema: { rule($0).schema(unknownFields: unknownFields) },
            example: { JSONBody.value(example()) },
            refusals: { now in
                do throws(RequestRefusal) {
                    _ = try BodyParser.parse(JSONBody.bytes(example()), as: rule(now), unknownFields: .refused)
                    return []
                } catch .fields(let errors) {
                    return errors
                } catch {
                    return [FieldError(pointer: "", detail: "\(error)")]
                }
            })
    }
}
