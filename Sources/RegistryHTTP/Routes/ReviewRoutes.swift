import Beacons
import Foundation
import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI
import Syntax

/// The operators' calls against misuse, and those about operators.
struct ReviewRoutes {
    let operations: RegistryOperations
    let store: any ReviewStore & OperatorStore

    func add(to routes: Routes<OperatorContext>) {
        routes.get("/v1/owners", owners)
        routes.get("/v1/owners/:owner", owner)
        routes.put("/v1/owners/:owner/suspension", suspend)
        routes.delete("/v1/owners/:owner/suspension", resume)
        routes.put("/v1/owners/:owner/quotas", setQuotas)
        routes.put("/v1/reports/:report/confirmation", confirm)
        routes.delete("/v1/reports/:report/confirmation", withdraw)
        routes.put("/v1/beacons/:identity/stop", stop)
        routes.delete("/v1/beacons/:identity/stop", allow)
        routes.get("/v1/claims", claims)
        routes.put("/v1/claims/:bike/acceptance", acceptClaim)
        routes.put("/v1/claims/:bike/refusal", refuseClaim)
        routes.get("/v1/operators", operators)
        routes.post("/v1/operators", createOperator)
        routes.delete("/v1/operators/:operator", revokeOperator)
    }

    @Sendable private func owners(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(try await store.owners(try Paging.page(request)), to: request)
    }

    @Sendable private func owner(_: Request, _ context: OperatorContext) async throws -> Response {
        try .json(try await store.review(of: try context.id("owner", of: "owner")))
    }

    @Sendable private func suspend(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let owner: OwnerID = try context.id("owner", of: "owner")
        let reason = try await request.optionalValue(OperatorReason.rule(now: operations.clock.now))
        return try .json(try await operations.suspendOwner(owner, reason, by: context.id))
    }

    @Sendable private func resume(_: Request, _ context: OperatorContext) async throws -> Response {
        try .json(try await operations.resumeOwner(try context.id("owner", of: "owner"), by: context.id))
    }

    @Sendable private func setQuotas(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let owner: OwnerID = try context.id("owner", of: "owner")
        let exceptions = try await request.value(QuotaExceptions.rule(now: operations.clock.now))
        return try .json(try await operations.setQuotas(of: owner, exceptions, by: context.id))
    }

    @Sendable private func confirm(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let report: ReportID = try context.id("report", of: "report")
        let confirmation = try await request.value(ReferenceConfirmation.rule(now: operations.clock.now))
        return try .json(try await operations.confirm(confirmation, of: report, by: context.id))
    }

    @Sendable private func withdraw(_: Request, _ context: OperatorContext) async throws -> Response {
        let report: ReportID = try context.id("report", of: "report")
        return try .json(try await operations.withdrawConfirmation(of: report, by: context.id))
    }

    @Sendable private func stop(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let identity = try context.identity()
        let reason = try await request.optionalValue(OperatorReason.rule(now: operations.clock.now))
        return try .json(try await operations.stopSearch(for: identity, reason, by: context.id))
    }

    @Sendable private func allow(_: Request, _ context: OperatorContext) async throws -> Response {
        try .json(try await operations.allowSearch(for: try context.identity(), by: context.id))
    }

    @Sendable private func claims(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(try await store.claims(try Paging.page(request)), to: request)
    }

    @Sendable private func acceptClaim(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let bike: BikeID = try context.id("bike", of: "claim")
        let acceptance = try await request.value(ClaimAcceptance.rule(now: operations.clock.now))
        return try .json(try await operations.acceptClaim(acceptance, of: bike, by: context.id))
    }

    @Sendable private func refuseClaim(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let bike: BikeID = try context.id("bike", of: "claim")
        let reason = try await request.optionalValue(OperatorReason.rule(now: operations.clock.now))
        return try .json(try await operations.refuseClaim(of: bike, reason, by: context.id))
    }

    @Sendable private func operators(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(try await store.operators(try Paging.page(request)), to: request)
    }

    /// Not repeatable: if the token was lost on the way, revoke the operator.
    @Sendable private func createOperator(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let draft = try await request.value(OperatorDraft.rule(now: operations.clock.now))
        let created = try await operations.createOperator(draft, by: context.id)
        return try .created(created, at: "/v1/operators/\(created.details.id)")
    }

    @Sendable private func revokeOperator(_: Request, _ context: OperatorContext) async throws -> Response {
        let id: OperatorID = try context.id("operator", of: "operator")
        return try .json(try await operations.revokeOperator(id, by: context.id))
    }
}

extension OperatorContext {
    /// The beacon in the path, as `UUID:major:minor`.
    fileprivate func identity() throws -> BeaconIdentity {
        let text = parameters.get("identity").map { $0.removingPercentEncoding ?? $0 }
        guard let identity = text.flatMap({ BeaconIdentity($0) }) else { throw DomainError.notFound("beacon") }
        return identity
    }
}

extension OwnerCursor: PageCursor {
    init?(cursorText: String) {
        let parts = cursorText.split(at: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let unconfirmed = Int64(parts[0]), unconfirmed >= 0,
            let owner = OwnerID(String(parts[1]))
        else { return nil }
        self.init(unconfirmed: unconfirmed, owner: owner)
    }

    var cursorText: String { "\(unconfirmed).\(owner)" }
}
