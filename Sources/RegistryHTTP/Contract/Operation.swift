import HTTPTypes
import Hummingbird
import NIOCore
import Registry
import RegistryAPI

/// The contract's description of one call; the route defines who may make it.
struct Operation {
    /// A body that the call accepts.
    struct Body {
        /// The name of the body's type.
        let name: String
        let mediaTypes: [String]
        let presence: Presence
        /// The schema. Bounds that change with time, such as next year, are those of `now`.
        let schema: (_ now: Timestamp) -> JSONSchema
        let example: JSONValue?
        /// The errors that the server would find in the example.
        let refusals: (_ now: Timestamp) -> [FieldError]

        enum Presence {
            case required
            /// An empty body counts as an empty object, and the media type is ignored.
            case optional
        }
    }

    /// A representation of a response.
    struct Content {
        let mediaType: String
        /// The type of the content; nil if the schema is sufficient.
        let type: (any Decodable.Type)?
        let schema: JSONSchema
        let example: JSONValue?
    }

    struct Answer {
        let status: HTTPResponse.Status
        let summary: String
        let content: [Content]
        /// The header fields in addition to those of every response.
        let headers: [HeaderField]
    }

    let method: HTTPRequest.Method
    /// The pattern of the route, such as `/v1/bikes/:bike`.
    let path: String
    let summary: String
    private(set) var details: String?
    private(set) var body: Body?
    private(set) var parameters: [Parameter] = []
    private(set) var answers: [Answer] = []
    private(set) var refusals: [any Refusal] = []

    init(_ method: HTTPRequest.Method, _ path: String, _ summary: String, _ details: String? = nil) {
        self.method = method
        self.path = path
        self.summary = summary
        self.details = details
    }
}

extension Operation.Content {
    /// A live trail: server-sent events with the sightings of a type that the contract describes.
    static func events<Sighting: Codable>(of sighting: Sighting) -> Operation.Content {
        let event = (try? JSONBody.encode(sighting)).map { TrailEvent(revision: 7, data: $0).text }
        let description = """
            Server-sent events, each named `sighting`: first all sightings, then each new or changed one. `data` is one \
            `\(Sighting.self)` as JSON, `id` a whole number to send as `Last-Event-ID`. Comments keep the connection alive.
            """
        return Operation.Content(
            mediaType: MediaType.eventStream, type: nil,
            schema: .type("string", ["description": .string(description)]),
            example: event.map { .string(String(buffer: $0)) })
    }
}

extension Operation {
    /// Adds a JSON body that a rule reads.
    func taking<Value: Encodable>(
        _ rule: @escaping (Timestamp) -> FieldRule<Value>, _ example: Value, _ presence: Body.Presence = .required,
        unknownFields: UnknownFields = .refused, mediaTypes: [String] = [MediaType.json],
        name: String = "\(Value.self)"
    ) -> Operation {
        let text = JSONBody.bytes(example)
        return taking(
            Body(
                name: name, mediaTypes: mediaTypes, presence: presence,
                schema: { rule($0).schema(unknownFields: unknownFields) },
                example: JSONValue(text: text)
            ) { now in
                do throws(RequestRefusal) {
                    _ = try BodyParser.parse(text, as: rule(now), unknownFields: .refused)
                    return []
                } catch .fields(let errors) {
                    return errors
                } catch {
                    return [FieldError(pointer: "", detail: "\(error)")]
                }
            }
        )
    }

    func taking(_ body: Body) -> Operation {
        var operation = self
        operation.body = body
        if body.presence == .required { operation.refusals.append(RequestError.wrongMediaType) }
        return operation.refusing(
            RequestError.bodyTooLarge(limit: BodyLimits.bytes(method, path)), RequestError.tooSlow,
            RequestError.unreadableBody,
            RequestError.malformedBody(JSONSyntaxError(line: 1, column: 9, reason: "a value is expected")),
            DomainError.overloaded,
            DomainError.invalidFields([FieldError(pointer: "/make", detail: "must be a text of 1 to 64 characters")])
        )
    }

    /// Adds the fields of a page's form as the body.
    func takingForm(_ name: String, _ fields: [String: JSONSchema], required: [String]) -> Operation {
        var operation = self
        operation.body = Body(
            name: name, mediaTypes: [FormFields.mediaType], presence: .required,
            schema: { _ in .object(fields, required: required, unknownFields: .ignored) }, example: nil
        ) { _ in [] }
        return operation.refusing(
            RequestError.notForm, RequestError.bodyTooLarge(limit: BodyLimits.bytes(method, path)),
            RequestError.tooSlow,
            RequestError.unreadableBody, DomainError.overloaded)
    }

    /// Allows no body, or an empty object.
    var takingNothing: Operation {
        taking(
            Body(
                name: "Empty", mediaTypes: [MediaType.json], presence: .optional,
                schema: { _ in .object([:], required: [], unknownFields: .refused) }, example: nil
            ) { _ in [] }
        )
    }

    /// Makes the change conditional on `If-Match`: it happens only if the caller has seen the current state.
    func conditional(_ resource: String) -> Operation {
        with(.ifMatch).refusing(RequestError.preconditionRequired, DomainError.changedMeanwhile(resource))
    }

    /// Requires a recovery code while a bike is missing.
    var guarded: Operation {
        with(.recoveryCode).refusing(DomainError.recoveryCodeNeeded, DomainError.codeUnusable)
    }

    /// Adds a response with a resource and its entity tag.
    func showing<Value: Codable>(_ example: Value, _ summary: String) -> Operation {
        with(.ifNoneMatch).giving(.ok, example, summary, [.eTag])
            .giving(.notModified, "The caller’s copy is current.", [.eTag])
    }

    /// Adds a merge patch as the body.
    func patching<Resource>(
        _ rule: @escaping (Timestamp) -> FieldRule<Patch<Resource>>, _ example: Patch<Resource>
    ) -> Operation {
        taking(rule, example, mediaTypes: [MediaType.json, MediaType.mergePatch], name: "\(Resource.self)Patch")
    }

    /// Makes the call happen once for each `Idempotency-Key`.
    var once: Operation {
        with(.idempotencyKey).refusing(RequestError.invalidIdempotencyKey, DomainError.idempotencyKeyReused)
    }

    /// Adds a paged list as the response.
    func listing<Item: Codable & Sendable>(_ item: Item, _ summary: String) -> Operation {
        with(.cursor).with(.limit)
            .giving(.ok, Page(items: [item]), summary, [.link])
            .refusing(RequestError.invalidCursor, DomainError.overloaded)
    }

    func with(_ parameter: Parameter) -> Operation {
        var operation = self
        operation.parameters.append(parameter)
        return operation
    }

    /// Adds a JSON response.
    func giving<Value: Codable>(
        _ status: HTTPResponse.Status, _ example: Value, _ summary: String, _ headers: [HeaderField] = []
    ) -> Operation {
        let text = JSONBody.bytes(example)
        let content = Content(
            mediaType: MediaType.json, type: Value.self, schema: JSONSchema(), example: JSONValue(text: text)
        )
        return giving(Answer(status: status, summary: summary, content: [content], headers: headers))
    }

    /// Adds an HTML response for people.
    func givingPage(_ status: HTTPResponse.Status, _ summary: String) -> Operation {
        let content = Content(mediaType: LinkPage.mediaType, type: nil, schema: .type("string"), example: nil)
        return giving(Answer(status: status, summary: summary, content: [content], headers: []))
    }

    /// Adds a response without a body.
    func giving(_ status: HTTPResponse.Status, _ summary: String, _ headers: [HeaderField] = []) -> Operation {
        giving(Answer(status: status, summary: summary, content: [], headers: headers))
    }

    func giving(_ answer: Answer) -> Operation {
        var operation = self
        operation.answers.append(answer)
        return operation
    }

    func refusing(_ refusals: any Refusal...) -> Operation {
        var operation = self
        operation.refusals += refusals
        return operation
    }
}
