import HTTPTypes
import Hummingbird
import Logging
import Registry
import RegistryAPI

/// The calls that need no token.
struct PublicRoutes {
    let operations: RegistryOperations
    let proxies: TrustedProxies
    private let readiness: Readiness

    init(operations: RegistryOperations, proxies: TrustedProxies) {
        self.operations = operations
        self.proxies = proxies
        readiness = Readiness { [store = operations.store] in try await store.checkReadiness() }
    }

    func add(to routes: Routes<RegistryContext>) {
        routes.post("/v1/owners", createOwner)
        routes.post("/v1/recovery", recover)
        routes.post("/v1/finds", tellFind)
        routes.post("/v1/station/enrolment", enrol)
        routes.get("/v1/keys", keys)
        routes.get("/v1/web-push/key", webPushKey)
        routes.get("/livez", live)
        routes.get("/readyz", ready)
    }

    /// An `Idempotency-Key` has no effect: the response’s secrets are not stored and cannot be shown again. If a
    /// repeated call creates a second owner, it is an empty account that nobody uses. The first call uses up an
    /// invitation.
    @Sendable private func createOwner(_ request: Request, _: RegistryContext) async throws -> Response {
        let draft = try await request.optionalValue(OwnerDraft.rule(now: operations.clock.now))
        return try .created(try await operations.createOwner(draft), at: "/v1/owner")
    }

    /// As above: a code whose response was lost is used up, which is why there are several.
    @Sendable private func recover(_ request: Request, _: RegistryContext) async throws -> Response {
        try .created(
            try await operations.recover(try await request.value(RecoveryRequest.rule(now: operations.clock.now))),
            at: "/v1/owner")
    }

    /// The response is always the same, so the finder learns nothing. A repeated call is another find.
    @Sendable private func tellFind(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let sender = proxies.client(peer: context.peer, headers: request.headers)
        try await operations.tell(
            try await request.value(Find.rule(now: operations.clock.now)), from: sender?.subscriber)
        return Response(status: .accepted)
    }

    /// As in a station's calls, fields that a newer station sends are ignored. An `Idempotency-Key` makes the attempt
    /// repeatable if its response is lost; it belongs to the code, since there is no principal yet.
    @Sendable private func enrol(_ request: Request, _: RegistryContext) async throws -> Response {
        let enrolment = try await request.value(
            EnrolmentRequest.rule(now: operations.clock.now), unknownFields: .ignored)
        let attempt = try request.idempotencyKey()
        return try .json(try await operations.enrol(enrolment, attempt: attempt), status: .created)
    }

    /// The public keys that verify evidence packs and audit checkpoints.
    @Sendable private func keys(_: Request, _: RegistryContext) async throws -> Response {
        try .json(operations.publishedKeys)
    }

    /// The key with which a browser subscribes, so that this registry may send it messages.
    @Sendable private func webPushKey(_: Request, _: RegistryContext) async throws -> Response {
        guard let key = operations.webPushKey else { throw DomainError.notFound("key for Web Push") }
        return try .json(WebPushKey(publicKey: key))
    }

    /// Whether the process responds at all.
    @Sendable private func live(_: Request, _: RegistryContext) async throws -> Response {
        try .json(["status": "live"])
    }

    /// Whether calls can currently succeed.
    @Sendable private func ready(_: Request, _ context: RegistryContext) async throws -> Response {
        switch await readiness.outcome() {
        case .ready: return try .json(["status": "ready"])
        case .late:
            context.logger.error("not ready", metadata: ["reason": "the database has not answered in time"])
            throw RequestError.notReady(isLate: true)
        case .failed(let error as DomainError):
            error.log(to: context.logger)
            throw RequestError.notReady(isLate: false)
        case .failed(let error): throw error
        }
    }
}
