import Evidence
import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for missing reports and their sightings.
struct ReportRoutes {
    let operations: RegistryOperations
    let store: any ReportStore
    let files: MadeFiles

    func add(to routes: Routes<OwnerContext>) {
        routes.post("/v1/bikes/:bike/reports", .report, open)
        routes.get("/v1/bikes/:bike/reports", .read, reports)
        routes.get("/v1/bikes/:bike/reports/:report", .read, report)
        routes.patch("/v1/bikes/:bike/reports/:report", .report, change)
        routes.post("/v1/bikes/:bike/reports/:report/closure", .report, close)
        routes.get("/v1/bikes/:bike/reports/:report/evidence", .read, evidence)
    }

    @Sendable private func open(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let now = operations.clock.now
        let bike = try bikeID(context)
        let rule = MissingReportDraft.rule(now: now)
        let (draft, once) = try await request.creation(rule, of: context.principal, at: now)
        let report = try await operations.openReport(draft, on: bike, of: context.owner, once: once)
        return try .created(report, at: "/v1/bikes/\(bike)/reports/\(report.id)")
    }

    @Sendable private func reports(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let bike = try bikeID(context)
        let page = try await store.reports(on: bike, of: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func report(_: Request, _ context: OwnerContext) async throws -> Response {
        try .json(try await operations.report(try context.report()))
    }

    /// No If-Match: each field is set independently, and the change may be urgent.
    @Sendable private func change(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let patch = try await request.patch(MissingReportPatch.rule(now: operations.clock.now))
        let report = try context.report()
        let act = context.act(request, operations)
        return try .json(try await operations.changeReport(report.id, on: report.bike, patch, by: act))
    }

    @Sendable private func close(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let (report, act) = (try context.report(), context.act(request, operations))
        let (closure, once) = try await request.creation(
            ReportClosure.rule(now: act.time), of: context.principal, at: act.time)
        return try .json(try await operations.closeReport(report.id, on: report.bike, closure, by: act, once: once))
    }

    @Sendable private func evidence(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let report = try context.report()
        return try await files.respond(to: request, context) {
            MadeFiles.File(
                bytes: try await operations.evidencePack(of: report), mediaType: EvidencePack.mediaType,
                headers: [.contentDisposition: "attachment; filename=\"evidence-\(report.id).zip\""])
        }
    }

    private func bikeID(_ context: OwnerContext) throws -> BikeID { try context.id("bike", of: "bike") }
}
