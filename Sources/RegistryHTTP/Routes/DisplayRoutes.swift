import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls of displays at venues, and of those who make and revoke them.
struct DisplayRoutes {
    let operations: RegistryOperations
    let sameOrigin: SameOrigin
    let limiter: RateLimiter

    func add(to routes: Routes<RegistryContext>) {
        routes.post("/v1/display/pairing", pair)
    }

    func add(to routes: Routes<DisplayContext>) {
        routes.get("/v1/display", show)
        routes.post("/v1/display/visits/:visit/answer", answer)
    }

    func add(to routes: Routes<OperatorContext>) {
        let path = "/v1/stations/:station/displays"
        routes.post(path) { request, context in
            try await create(request, of: try context.id("station", of: "station"), by: context.principal)
        }
        routes.get(path) { _, context in try await list(of: try context.id("station", of: "station")) }
        routes.delete(path + "/:display") { _, context in
            try await revoke(
                try context.id("display", of: "display"), of: try context.id("station", of: "station"),
                by: context.principal)
        }
    }

    func add(to routes: Routes<StationContext>) {
        let path = "/v1/station/displays"
        routes.post(path) { request, context in
            try await create(request, of: context.station, by: .station(context.station))
        }
        routes.get(path) { _, context in try await list(of: context.station) }
        routes.delete(path + "/:display") { _, context in
            try await revoke(
                try context.id("display", of: "display"), of: context.station, by: .station(context.station))
        }
    }
}

// Making and revoking.
extension DisplayRoutes {
    /// An `Idempotency-Key` has no effect: a new code replaces one that nobody has used.
    private func create(
        _ request: Request, of station: StationID, by principal: Principal
    ) async throws -> Response {
        let draft = try await request.optionalValue(DisplayDraft.rule(now: operations.clock.now))
        return try .json(try await operations.createDisplay(draft, of: station, by: principal), status: .created)
    }

    /// All of them: there are few.
    private func list(of station: StationID) async throws -> Response {
        try .json(Page(items: try await operations.displays(of: station)))
    }

    private func revoke(
        _ display: DisplayID, of station: StationID, by principal: Principal
    ) async throws -> Response {
        try await operations.revokeDisplay(display, of: station, by: principal)
        return Response(status: .noContent)
    }
}

// The screen.
extension DisplayRoutes {
    /// Only a page of the registry itself can pair a screen: otherwise another site could connect it to an attacker's
    /// station. An `Idempotency-Key` makes the attempt repeatable if its response is lost.
    @Sendable private func pair(_ request: Request, _: RegistryContext) async throws -> Response {
        try sameOrigin.check(request.head)
        let pairing = try await request.value(DisplayPairing.rule(now: operations.clock.now))
        let (view, secret) = try await operations.pairDisplay(
            pairing, attempt: try request.idempotencyKey(), former: DisplayCookie.secret(in: request.headers))
        var response = try Response.json(view, status: .created)
        response.headers[.setCookie] = DisplayCookie.setting(secret)
        return response
    }

    @Sendable private func show(_: Request, _ context: DisplayContext) async throws -> Response {
        let (view, isRenewed) = try await operations.openDisplay(context.secret.digest)
        var response = try Response.json(view)
        if isRenewed { response.headers[.setCookie] = DisplayCookie.setting(context.secret.text) }
        return response
    }

    /// Each change of an answer is recorded, and the owner may be notified of it, so the displays of a station together
    /// can make few: a screen that is paired again gets no new allowance.
    @Sendable private func answer(_ request: Request, _ context: DisplayContext) async throws -> Response {
        let visit: VisitID = try context.id("visit", of: "visit")
        let answer = try await request.value(DisplayAnswer.rule(now: operations.clock.now))
        let station = try await operations.station(ofDisplay: context.secret.digest)
        try limiter.admit(.answers, by: "\(station)")
        try await operations.answerVisit(visit, answer.answer, at: context.secret.digest)
        return Response(status: .noContent)
    }
}
