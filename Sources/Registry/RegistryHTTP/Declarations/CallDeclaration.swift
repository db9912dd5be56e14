import HTTPTypes
import Hummingbird
import RegistryAPI
import RegistryRules

/// A call that is being declared. It ends with a handler (``responding(_:)`` and what is built on it), which registers
/// the call with the router and the table.
struct CallDeclaration<Context: RequestContext, Body: Sendable> {
    /// Refuses a request before its body is read.
    typealias Check = @Sendable (Request, Context) throws -> Void
    /// The key under which a request happens once; nil if it has none.
    typealias OnceKey = @Sendable (Request, Context, Body, Timestamp) throws -> IdempotencyKey?

    let calls: Calls<Context>
    private(set) var call: Call
    private var check: Check?
    private let read: @Sendable (Request, Timestamp) async throws -> Body
    private var once: OnceKey?

    init(
        calls: Calls<Context>, call: Call, check: Check? = nil,
        read: @escaping @Sendable (Request, Timestamp) async throws -> Body, once: OnceKey?
    ) {
        self.calls = calls
        self.call = call
        self.check = check
        self.read = read
        self.once = once
    }

    /// Adds a handler that makes the whole response, and registers the call.
    func responding(_ handler: @escaping @Sendable (CallRequest<Context, Body>) async throws -> Response) {
        let (check, read, once, clock, precondition) = (check, read, once, calls.clock, call.precondition)
        calls.table.add(call)
        calls.group(call).on(RouterPath(call.path), method: call.method) { request, context in
            try check?(request, context)
            let now = clock.now
            let body = try await read(request, now)
            let key = try once?(request, context, body, now)
            return try await handler(
                CallRequest(http: request, context: context, body: body, once: key, precondition: precondition))
        }
    }

    /// Registers the call only in the table: a responder other than the router serves it.
    func respondingElsewhere() { calls.table.add(call) }

    /// The same declaration with a changed description.
    func describing(_ change: (inout Call) -> Void) -> CallDeclaration {
        var copy = self
        change(&copy.call)
        return copy
    }

    /// Adds a check that runs before the body is read.
    func checking(_ next: @escaping Check) -> CallDeclaration {
        var copy = self
        copy.check = { [check] request, context in
            try check?(request, context)
            try next(request, context)
        }
        return copy
    }

    /// Lets only the registry's own pages make the call: another site could otherwise make its visitors' browsers use
    /// an account or a station of an attacker.
    func fromOwnPages(_ sameOrigin: SameOriginCheck) -> CallDeclaration {
        refusing(request: .crossSite).checking { request, _ in try sameOrigin.check(request.head) }
    }
}

// Bodies.
extension CallDeclaration where Body == Void {
    /// Adds a JSON body.
    ///
    /// - Parameters:
    ///   - example: the contract's example, whose type is that of the body.
    ///   - limit: the maximum length in bytes, if the usual one does not suffice.
    func taking<Value: WireObject & Encodable & Sendable>(
        _ example: @autoclosure @escaping @Sendable () -> Value, _ presence: Call.Body.Presence = .required,
        unknownFields: UnknownFields = .refused, upTo limit: Int = Call.usualBodyLimit
    ) -> CallDeclaration<Context, Value> {
        taking(body: .json(example(), presence, unknownFields), upTo: limit) { request, now in
            switch presence {
            case .required: try await request.value(Value.rule(now: now), unknownFields: unknownFields)
            case .optional: try await request.optionalValue(Value.rule(now: now))
            }
        }
    }

    /// Adds a merge patch as the body.
    func patching<Resource: WireObject & Sendable>(
        _ example: @autoclosure @escaping @Sendable () -> Patch<Resource>, upTo limit: Int = Call.usualBodyLimit
    ) -> CallDeclaration<Context, Patch<Resource>> {
        taking(body: .patch(example()), upTo: limit) { try await $0.patch(Patch<Resource>.rule(now: $1)) }
    }

    /// Allows no body, or an empty object.
    var takingNothing: CallDeclaration<Context, EmptyObject> {
        let body = Call.Body(
            name: "Empty", mediaTypes: [MediaType.json], presence: .optional,
            schema: { _ in .object([:], required: [], unknownFields: .refused) })
        return taking(body: body) { request, now in try await request.optionalValue(EmptyObject.rule(now: now)) }
    }

    /// Adds the fields of a page's form as the body.
    ///
    /// - Parameters:
    ///   - name: the name of the type in the contract.
    ///   - required: those fields that the browser always sends filled in; the handler checks that.
    func takingForm(
        _ name: String, _ fields: [String], required: [String]
    ) -> CallDeclaration<Context, FormFields> {
        let body = Call.Body(
            name: name, mediaTypes: [FormFields.mediaType], presence: .required,
            schema: { _ in
                let text = fields.map { ($0, JSONSchema.type("string")) }
                return .object(
                    Dictionary(text) { first, _ in first }, required: required, unknownFields: .ignored)
            })
        return reading(body, upTo: Call.usualBodyLimit) { request, _ in try await request.form() }
            .refusing(request: .notForm)
    }

    /// Adds a body with its own reader.
    func taking<Value: Sendable>(
        body: Call.Body, upTo limit: Int = Call.usualBodyLimit,
        _ read: @escaping @Sendable (Request, Timestamp) async throws -> Value
    ) -> CallDeclaration<Context, Value> {
        reading(body, upTo: limit, read).refusing(request: .wrongMediaType)
            .refusing(
                request: .malformedBody(JSONSyntaxError(line: 1, column: 9, reason: "a value is expected"))
            )
            .refusing(.invalidField("/make", "must be a text of 1 to 64 characters"))
    }

    /// Describes a body that the handler reads and limits itself.
    func takingByItself(_ body: Call.Body) -> CallDeclaration {
        describing { ($0.body, $0.bodyLimit) = (body, nil) }.refusingBody
    }

    /// Adds a body with its limit, and the refusals that every body has.
    private func reading<Value: Sendable>(
        _ body: Call.Body, upTo limit: Int, _ read: @escaping @Sendable (Request, Timestamp) async throws -> Value
    ) -> CallDeclaration<Context, Value> {
        var call = call
        (call.body, call.bodyLimit) = (body, limit)
        return CallDeclaration<Context, Value>(calls: calls, call: call, check: check, read: read, once: nil)
            .refusing(request: .bodyTooLarge(limit: limit)).refusingBody
    }
}

extension CallDeclaration where Context: PrincipalContext, Body: Encodable {
    /// Makes the call happen once for each `Idempotency-Key`.
    var once: CallDeclaration {
        var copy = acceptingOnceKey
        copy.once = { try $0.onceKey(of: $1.principal, value: $2, at: $3) }
        return copy
    }
}

// The description.
extension CallDeclaration {
    fileprivate var refusingBody: CallDeclaration { refusing(request: .tooSlow, .unreadableBody).refusing(.overloaded) }

    /// Limits the requests from an address in addition to the limit for all its requests.
    func limited(_ kind: RateLimits.Kind) -> CallDeclaration { describing { $0.rate = kind } }

    /// Describes parameters, which the handler reads.
    func with(_ parameters: Parameter...) -> CallDeclaration { describing { $0.parameters += parameters } }

    /// Describes refusals; the values that they contain are examples.
    func refusing(_ refusals: DomainError...) -> CallDeclaration { refusing(refusals) }

    private func refusing(_ refusals: [any Refusal]) -> CallDeclaration { describing { $0.refusals += refusals } }

    /// Describes refusals of requests that never reach the domain's rules.
    func refusing(request refusals: RequestError...) -> CallDeclaration { refusing(refusals) }

    /// Describes the refusals of acts beyond an owner's daily allowances.
    func daily(_ uses: DailyUse...) -> CallDeclaration {
        refusing(uses.map { DomainError.tooManyToday($0, retryAfter: .seconds(3600)) })
    }

    /// Describes that members with a smaller role are refused.
    func needing(_ role: BikeRole) -> CallDeclaration { refusing(.membership(.roleNeeded(role))) }

    /// Makes the change conditional on `If-Match`: it happens only if the caller has seen the current state, which the
    /// handler compares (``CallRequest/unchanged(_:)``, ``CallRequest/version()``).
    func conditional(_ resource: String) -> CallDeclaration {
        describing { $0.precondition = resource }.with(.ifMatch).refusing(request: .preconditionRequired).refusing(
            .changedMeanwhile(resource))
    }

    /// Describes that a recovery code is required while a bike is missing.
    var guarded: CallDeclaration { with(.recoveryCode).refusing(.recoveryCodeNeeded, .codeUnusable) }

    /// Accepts an `Idempotency-Key`, which the handler reads.
    var acceptingOnceKey: CallDeclaration {
        with(.idempotencyKey).refusing(request: .invalidIdempotencyKey).refusing(.idempotencyKeyReused)
    }

    /// Says what an operator's session needs for this call.
    func proved(_ proof: DeskProof) -> CallDeclaration { describing { $0.proof = proof } }

    /// Marks a call that a page repeats without its user. It does not prolong an operator's session: a forgotten
    /// browser must not stay signed in.
    var watching: CallDeclaration { describing { $0.isUse = false } }

    /// Describes a response.
    func giving(
        _ status: HTTPResponse.Status, _ summary: String, content: [Call.Content] = [], headers: [HeaderField] = []
    ) -> CallDeclaration {
        describing {
            $0.answers.append(Call.Answer(status: status, summary: summary, content: content, headers: headers))
        }
    }

    /// Describes a response with JSON.
    func giving<Value: Codable & Sendable>(
        _ status: HTTPResponse.Status, json example: @autoclosure @escaping @Sendable () -> Value, _ summary: String,
        headers: [HeaderField] = []
    ) -> CallDeclaration {
        giving(status, summary, content: [.json(example())], headers: headers)
    }

    /// Describes a page for people.
    func givingPage(_ status: HTTPResponse.Status, _ summary: String) -> CallDeclaration {
        giving(status, summary, content: [.page])
    }

    /// Describes the response to a caller that has the current state already.
    var givingNotModified: CallDeclaration {
        with(.ifNoneMatch).giving(.notModified, "The caller’s copy is current.", headers: [.eTag])
    }
}

// The usual responses, each with its description.
extension CallDeclaration {
    typealias Handler<Value> = @Sendable (CallRequest<Context, Body>) async throws -> Value

    /// Responds with JSON.
    func answering<Value: Codable & Sendable>(
        _ example: @autoclosure @escaping @Sendable () -> Value, _ summary: String, status: HTTPResponse.Status = .ok,
        _ handler: @escaping Handler<Value>
    ) {
        giving(status, json: example(), summary)
            .responding { try .json(try await handler($0), status: status) }
    }

    /// Responds with a resource and its entity tag; to a GET only if the caller does not have it already.
    func showing<Value: Codable & Sendable>(
        _ example: @autoclosure @escaping @Sendable () -> Value, _ summary: String, _ handler: @escaping Handler<Value>
    ) {
        let shown = giving(.ok, json: example(), summary, headers: [.eTag])
        (call.method == .get ? shown.givingNotModified : shown)
            .responding { try .tagged(try await handler($0), for: $0.http) }
    }

    /// Responds with a page of a list.
    func listing<Item: Codable & Sendable, Cursor: PageCursor>(
        _ item: @autoclosure @escaping @Sendable () -> Item, _ summary: String,
        _ handler:
            @escaping @Sendable (
                CallRequest<Context, Body>, PageRequest<Cursor>
            ) async throws -> StoredPage<Item, Cursor>
    ) {
        with(.cursor, .limit).refusing(request: .invalidCursor).refusing(.overloaded)
            .giving(.ok, json: Page(items: [item()]), summary, headers: [.link])
            .responding { try Paging.answer(try await handler($0, try Paging.page($0.http)), to: $0.http) }
    }

    /// Responds with a new resource and its path, which is the call's own path and the resource's identifier.
    func creating<Value: Codable & Sendable, Resource>(
        _ example: @autoclosure @escaping @Sendable () -> Value, _ summary: String,
        id: @escaping @Sendable (Value) -> ResourceID<Resource>, _ handler: @escaping Handler<Value>
    ) {
        giving(.created, json: example(), summary, headers: [.location])
            .responding { [path = call.path] request in
                let created = try await handler(request)
                return try .created(created, at: "\(request.path(path))/\(id(created))")
            }
    }

    /// Responds without a body.
    func done(_ summary: String, status: HTTPResponse.Status = .noContent, _ handler: @escaping Handler<Void>) {
        giving(status, summary).responding {
            try await handler($0)
            return Response(status: status)
        }
    }
}
