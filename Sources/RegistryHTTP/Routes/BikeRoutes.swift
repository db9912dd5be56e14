import Evidence
import HTTPTypes
import Hummingbird
import NIOCore
import Registry
import RegistryAPI

/// An owner's bikes and their reports.
struct BikeRoutes {
    let operations: RegistryOperations

    func add(to routes: Routes<OwnerContext>) {
        routes.post("/v1/bikes", .manage, register)
        routes.get("/v1/bikes", .read, bikes)
        routes.get("/v1/bikes/:bike", .read, bike)
        routes.post("/v1/bikes/:bike/reports", .report, openReport)
        routes.get("/v1/bikes/:bike/reports", .read, reports)
        routes.get("/v1/bikes/:bike/reports/:report", .read, report)
        routes.post("/v1/bikes/:bike/reports/:report/closure", .report, closeReport)
        routes.get("/v1/bikes/:bike/reports/:report/evidence", .read, evidence)
    }

    @Sendable private func register(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let now = operations.clock.now
        let (draft, once) = try await request.creation(BikeDraft.rule(now: now), of: context.principal, at: now)
        let bike = try await operations.registerBike(draft, of: context.owner, once: once)
        return try .created(bike, at: "/v1/bikes/\(bike.id)")
    }

    @Sendable private func bikes(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await operations.bikes(of: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func bike(_: Request, _ context: OwnerContext) async throws -> Response {
        try .json(try await operations.bike(try bikeID(context), of: context.owner))
    }

    @Sendable private func openReport(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let now = operations.clock.now
        let bike = try bikeID(context)
        let rule = MissingReportDraft.rule(now: now)
        let (draft, once) = try await request.creation(rule, of: context.principal, at: now)
        let report = try await operations.openReport(draft, on: bike, of: context.owner, once: once)
        return try .created(report, at: "/v1/bikes/\(bike)/reports/\(report.id)")
    }

    @Sendable private func reports(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let bike = try bikeID(context)
        let page = try await operations.reports(on: bike, of: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func report(_: Request, _ context: OwnerContext) async throws -> Response {
        let report = try await operations.report(
            try reportID(context), on: try bikeID(context), of: context.owner
        )
        return try .json(report)
    }

    @Sendable private func closeReport(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let bike = try bikeID(context)
        let id = try reportID(context)
        let now = operations.clock.now
        let (closure, once) = try await request.creation(ReportClosure.rule, of: context.principal, at: now)
        return try .json(try await operations.closeReport(id, on: bike, of: context.owner, closure, once: once))
    }

    @Sendable private func evidence(_: Request, _ context: OwnerContext) async throws -> Response {
        let report = try reportID(context)
        let pack = try await operations.evidencePack(of: report, on: try bikeID(context), owner: context.owner)
        let headers: HTTPFields = [.contentDisposition: "attachment; filename=\"evidence-\(report).zip\""]
        return .body(ByteBuffer(bytes: pack), EvidencePack.mediaType, headers: headers)
    }

    private func bikeID(_ context: OwnerContext) throws -> BikeID { try context.id("bike", of: "bike") }

    private func reportID(_ context: OwnerContext) throws -> ReportID { try context.id("report", of: "report") }
}
