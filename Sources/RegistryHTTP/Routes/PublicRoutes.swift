import HTTPTypes
import Hummingbird
import Logging
import Registry
import RegistryAPI

/// The calls that need no token.
struct PublicRoutes {
    let operations: RegistryOperations

    func add(to routes: Routes<RegistryContext>) {
        routes.post("/v1/owners", createOwner)
        routes.post("/v1/station/enrolment", enrol)
        routes.get("/v1/keys", keys)
        routes.get("/livez", live)
        routes.get("/readyz", ready)
    }

    /// An owner made twice by a repeated call is an empty account that nobody uses: no key is needed to prevent it.
    @Sendable private func createOwner(_ request: Request, _: RegistryContext) async throws -> Response {
        try await request.refuseContent()
        return try .created(try await operations.createOwner(), at: "/v1/owner")
    }

    /// Answers like a station's call: fields that a newer station sends are ignored. An `Idempotency-Key` makes the
    /// attempt repeatable should its answer be lost: it belongs to the code, there is no principal yet.
    @Sendable private func enrol(_ request: Request, _: RegistryContext) async throws -> Response {
        let enrolment = try await request.value(EnrolmentRequest.rule, unknownFields: .ignored)
        let attempt = try request.idempotencyKey()
        return try .json(try await operations.enrol(enrolment, attempt: attempt), status: .created)
    }

    /// The public halves of the keys that evidence packs and audit checkpoints are signed with.
    @Sendable private func keys(_: Request, _: RegistryContext) async throws -> Response {
        try .json(operations.publishedKeys)
    }

    /// Whether the process answers at all.
    @Sendable private func live(_: Request, _: RegistryContext) async throws -> Response {
        try .json(["status": "live"])
    }

    /// Whether calls can succeed now.
    @Sendable private func ready(_: Request, _: RegistryContext) async throws -> Response {
        try await operations.checkReadiness()
        return try .json(["status": "ready"])
    }
}
