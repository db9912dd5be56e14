import HTTPTypes
import Hummingbird
import MissingList
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls of operators about partners, and those of partners.
struct PartnerCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    /// The list for partners.
    private let list: SharedListPublisher
    /// Wakes the partners that wait.
    private let publisher: MissingListPublisher
    private let limiter: RateLimiter
    private let recheck: @Sendable (Request, RegistryContext) async throws -> Void

    static let missingList = "/v1/partner/missing"

    /// The limit of a batch in bytes: a hundred statements of 4 kB with their signatures, each character escaped.
    static let batchLimit = 1 << 20

    /// - Parameter recheck: authenticates a request again after it has waited.
    init(
        operations: RegistryOperations, store: any RegistryStore, publisher: MissingListPublisher,
        limiter: RateLimiter, recheck: @escaping @Sendable (Request, RegistryContext) async throws -> Void
    ) {
        self.operations = operations
        self.store = store
        self.publisher = publisher
        self.limiter = limiter
        self.recheck = recheck
        list = SharedListPublisher(store: store)
    }

    func add(to calls: Calls<OperatorContext>) {
        calls.post("/v1/partners/invitations", "Invite another registry to become a partner")
            .taking(PartnerInvitationDraft(name: Example.partner.name))
            .refusing(.signingKeyMissing, .linksUnavailable, .partnersFull)
            .answering(Example.partnerInvitation, "The code, which is shown this once.", status: .created) { request in
                try await operations.invitePartner(request.body, by: request.context.principal)
            }

        calls.post(
            "/v1/partners", "Accept another registry’s invitation",
            "The registries exchange their tokens and signing keys. If no response arrives, the call can be repeated."
        )
        .taking(
            PartnerAcceptance(
                url: "https://registry.example.net", code: Example.code, name: Example.partner.name)
        )
        .refusing(.signingKeyMissing, .linksUnavailable, .partnersFull, .partnerUnreachable("the code is unknown"))
        .answering(Example.partner, "The partner.", status: .created) { request in
            try await operations.acceptPartner(request.body, by: request.context.principal)
        }

        calls.post(
            "/v1/partners/:partner/renewal", "Renew a partner’s token",
            """
            Its token ends. With the code, its operator accepts again: both registries then have new tokens, and everything \
            else stays. Until then, `renewal` of the partner is the end of the code. Only the holder of a pinned signing \
            key can use the code.
            """
        )
        .takingNothing.refusing(.signingKeyMissing, .linksUnavailable)
        .answering(Example.partnerInvitation, "The code, which is shown this once.", status: .created) { request in
            try await operations.renewPartner(try request.id("partner"), by: request.context.principal)
        }

        calls.get("/v1/partners", "List the partners")
            .listing(Example.partner, "A page of partners and of invitations that were not accepted yet.") { _, page in
                try await store.partners(page, at: operations.clock.now)
            }

        calls.get("/v1/partners/:partner", "Show a partner")
            .answering(Example.partnerInRenewal, "The partner.") {
                try await store.partner(try $0.id("partner"), at: operations.clock.now)
            }

        calls.patch(
            "/v1/partners/:partner", "Rename, limit, suspend or resume a partner",
            """
            A suspended partner has no access, its bikes are not searched for, and what waits for it keeps waiting. With \
            `quarantineSince`, its sightings since that time are disputed. Visits are addressed to the key that was sent \
            last as `publicKey`; all others stay pinned.
            """
        )
        .quarantining.taking(PartnerPatch(suspended: true))
        .answering(Example.partner, "The partner as it is now.") { request in
            let since = try request.http.quarantineSince(at: operations.clock.now)
            return try await operations.changePartner(
                try request.id("partner"), request.body, quarantineSince: since, by: request.context.principal)
        }

        calls.delete(
            "/v1/partners/:partner", "End a partnership, or cancel an invitation",
            """
            What waits for the partner is deleted; sightings of its stations stay. With quarantineSince, the call can be \
            repeated for a partner that is removed.
            """
        )
        .quarantining.done("It no longer has access.") { request in
            let since = try request.http.quarantineSince(at: operations.clock.now)
            try await operations.removePartner(
                try request.id("partner"), quarantineSince: since, by: request.context.principal)
        }
    }

    func addAcceptance(to calls: Calls<RegistryContext>) {
        calls.post(
            "/v1/partner/acceptance", "Become a partner, by a code of this registry’s operator",
            """
            The offer is signed with its own key. Until the caller has used its token, the call can be repeated with the \
            same key.
            """
        )
        .limited(.codes)
        .taking(Example.partnerOffer, unknownFields: .ignored)
        .refusing(.codeUnusable, .signingKeyMissing, .linksUnavailable)
        .answering(
            Example.partnerTerms, "The same of this registry; the token is shown this once.", status: .created
        ) { try await operations.joinPartner($0.body) }
    }

    func add(to calls: Calls<PartnerContext>) {
        calls.post(
            "/v1/partner/visits", "Forward visits to this registry’s bikes",
            """
            At most \(ForwardedBatch.maximumCount) visits, each signed with a pinned key, and with its own result in the \
            same order. Reports of the same visit are merged, even late or out of order.
            """
        )
        .taking(Example.forwardedBatch, unknownFields: .ignored, upTo: Self.batchLimit)
        .refusing(.tooManyPartnerVisits(retryAfter: .seconds(60)), .notFound("partner"))
        .answering(Example.batchResult, "One result for each visit.") { request in
            try await operations.receive(request.body, from: request.context.partner)
        }

        calls.get(
            Self.missingList, "Get the missing list for partners",
            """
            In the stations’ binary form: the whole list, or with `A-IM` only the changes since the version in \
            `If-None-Match`. With `Prefer: wait=` the response comes when the list changes. It has the hashes of this \
            registry’s bikes whose owners let partners search.
            """
        )
        .with(.ifNoneMatch, .instanceManipulations, .prefer)
        .giving(.ok, "The list.", content: [.opaque(MediaType.missingList)], headers: [.eTag])
        .giving(
            MissingListRequest.changesStatus, "The changes from the partner’s version to ETag’s.",
            content: [.opaque(MediaType.missingList)], headers: [.eTag, .instanceManipulation]
        )
        .giving(.notModified, "The partner’s list is current, also after the wait.", headers: [.eTag])
        .refusing(request: .invalidWait, .waitDisplaced).refusing(.notFound("partner"))
        .responding { try await respond(to: $0) }
    }

    /// The calls for buyers' checks at partners. Neither registry learns a number of the other.
    func addNumbers(to calls: Calls<PartnerContext>) {
        calls.get(
            "/v1/partner/numbers", "Get the hidden numbers of missing bikes",
            """
            A point of Curve25519 (X25519, RFC 7748) for each serial number and VIN that buyers can check, at most \
            \(PartnerRules.mostNumbers), of bikes whose owners let partners search. The registry’s secret key for this \
            partner hides it.
            """
        )
        .refusing(request: .tooManyRequests(retryAfter: 12)).refusing(.notFound("partner"))
        .answering(Example.sharedNumbers, "The points.") { request in
            try limiter.admit(.partnerChecks, by: "numbers \(request.context.partner)")
            return try await operations.sharedNumbers(for: request.context.partner)
        }

        calls.post(
            "/v1/partner/checks", "Hide a hidden number a second time",
            """
            A buyer at the partner checks a number: the partner sends its point, hidden by a key that it changes with \
            each list, and gets it hidden by this registry’s key, too. If it then equals one of the list’s points, hidden \
            by the partner’s key, such a bike is missing here. The registry learns neither the number nor the result.
            """
        )
        .refusing(request: .tooManyRequests(retryAfter: 12)).refusing(.notFound("partner"))
        .taking(Example.hiddenNumber)
        .answering(Example.hiddenNumber, "The same, hidden twice.") { request in
            try limiter.admit(.partnerChecks, by: "checks \(request.context.partner)")
            return try await operations.hide(request.body, for: request.context.partner)
        }
    }

    /// Responds with the list, or waits for its next version if the partner asks for that.
    private func respond(
        to request: CallRequest<PartnerContext, Void>
    ) async throws -> Response {
        let asked = try MissingListRequest(request.http.headers)
        let partner = try await operations.callingPartner(request.context.partner)
        let end = ContinuousClock.now + (asked.wait ?? .zero)
        while true {
            let round = publisher.waitingPartners.round
            let answer = try await list.answer(since: asked.base, round: publisher.isRunning ? round : nil)
            guard case .unchanged = answer, publisher.isRunning, ContinuousClock.now < end,
                let token = Authentication.secret(in: request.http)?.text
            else { return respond(answer, asked) }
            let reason = await publisher.waitingPartners.wait(
                partner.id, token: SecretDigest(of: token), until: end, since: round)
            // An operator may have suspended the partner meanwhile.
            try await recheck(request.http, request.context.client)
            switch reason {
            case .changed: continue
            case .unchanged, .revoked: return respond(answer, asked)
            case .displaced: throw RequestError.waitDisplaced
            }
        }
    }

    private func respond(_ answer: SharedListPublisher.Answer, _ asked: MissingListRequest) -> Response {
        switch answer {
        case .unchanged(let version): return Response(status: .notModified, headers: asked.headers(of: version))
        case .full(let body, let version):
            return .body(body, MediaType.missingList, headers: asked.headers(of: version))
        case .changes(let body, let version):
            var headers = asked.headers(of: version)
            headers[.iM] = MissingListRequest.deltaEncoding
            return .body(body, MediaType.missingList, status: MissingListRequest.changesStatus, headers: headers)
        }
    }
}
