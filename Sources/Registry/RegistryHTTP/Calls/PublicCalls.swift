import HTTPTypes
import Hummingbird
import Logging
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls that need no token.
struct PublicCalls {
    let operations: RegistryOperations
    let proxies: TrustedProxies
    private let readiness: Readiness

    init(operations: RegistryOperations, proxies: TrustedProxies) {
        self.operations = operations
        self.proxies = proxies
        readiness = Readiness { [store = operations.store] in try await store.checkReadiness() }
    }

    func add(to calls: Calls<RegistryContext>) {
        addAccounts(to: calls)
        addKeys(to: calls)
        addProbes(to: calls)
    }

    private func addAccounts(to calls: Calls<RegistryContext>) {
        // An Idempotency-Key has no effect: the response’s secrets are not stored and cannot be shown again. If a
        // repeated call creates a second owner, that account stays empty and unused. The first call uses up an
        // invitation.
        calls.post(
            "/v1/owners", "Become an owner",
            "If the registry accepts new owners only by invitation, a code from the operator is needed."
        )
        .limited(.owners)
        .taking(OwnerDraft(tellsAppearance: true), .optional).refusing(.invitationNeeded, .codeUnusable)
        .giving(
            .created, json: Example.ownerCreated, "The owner; token and recovery codes are shown only once.",
            headers: [.location]
        )
        .responding { try .created(try await operations.createOwner($0.body), at: "/v1/owner") }

        // As above: a code whose response was lost is used up, which is why there are several.
        calls.post("/v1/recovery", "Get a new token with a recovery code")
            .limited(.codes)
            .taking(RecoveryRequest(code: Example.code, name: "New phone")).refusing(.codeUnusable)
            .giving(
                .created, json: Example.tokenCreated, "A token of scope `manage`; the code is used up.",
                headers: [.location]
            )
            .responding { try .created(try await operations.recover($0.body), at: "/v1/owner") }

        // The response is always the same, so the finder learns nothing. A repeated call is another find.
        calls.post(
            "/v1/finds", "Report a bike that you have found",
            "The bike’s owner gets a message. The response is always the same: it reveals nothing about the bike."
        )
        .limited(.finds).refusing(request: .crossSite)
        .taking(
            Find(identity: Example.identity, message: "Behind the station, by the bins", contact: "0161 496 0000")
        )
        .done("Thank you.", status: .accepted) { request in
            let sender = proxies.client(peer: request.context.peer, headers: request.http.headers)
            try await operations.tell(request.body, from: sender?.subscriber)
        }

        // As in a station's calls, fields that a newer station sends are ignored. An `Idempotency-Key` makes the
        // attempt repeatable if its response is lost; it belongs to the code, since there is no principal yet.
        calls.post(
            "/v1/station/enrolment", "Enrol a station",
            "Trades an operator’s code, which works once within 24 hours, for a station and its token."
        )
        .limited(.codes)
        .taking(EnrolmentRequest(code: Example.code), unknownFields: .ignored)
        .with(.idempotencyKey).refusing(request: .invalidIdempotencyKey).refusing(.codeUnusable)
        .answering(
            Example.stationEnrolled, "The station with its token, which is shown only once.", status: .created
        ) { try await operations.enrol($0.body, attempt: try $0.http.idempotencyKey()) }
    }

    private func addKeys(to calls: Calls<RegistryContext>) {
        calls.get("/v1/keys", "Get the registry’s public keys")
            .answering(
                Example.keys, "The keys that sign evidence packs and audit checkpoints, oldest first."
            ) { _ in operations.publishedKeys }

        calls.get("/v1/web-push/key", "Get the key that browsers subscribe with")
            .refusing(.notFound("key for Web Push"))
            .answering(Example.webPushKey, "The `applicationServerKey` of the Push API.") { _ in
                guard let key = operations.webPushKey else { throw DomainError.notFound("key for Web Push") }
                return WebPushKey(publicKey: key)
            }
    }

    /// The paths that probes request every few seconds.
    static let probes = (live: "/livez", ready: "/readyz")

    private func addProbes(to calls: Calls<RegistryContext>) {
        calls.get(Self.probes.live, "Whether the registry runs")
            .answering(["status": "live"], "It runs.") { _ in ["status": "live"] }

        calls.get(Self.probes.ready, "Whether calls can succeed now")
            .refusing(request: .notReady(isLate: true))
            .answering(["status": "ready"], "They can.") { request in
                let logger = request.context.logger
                switch await readiness.outcome() {
                case .ready: return ["status": "ready"]
                case .late:
                    logger.error("not ready", metadata: ["reason": "the database has not answered in time"])
                    throw RequestError.notReady(isLate: true)
                case .failed(let error as DomainError):
                    error.log(to: logger)
                    throw RequestError.notReady(isLate: false)
                case .failed(let error): throw error
                }
            }
    }
}
