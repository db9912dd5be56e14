import Beacons
import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI
import StickerSheets

/// The calls for an owner's bikes and their beacons.
struct BikeRoutes {
    let operations: RegistryOperations
    let store: any BikeStore

    func add(to routes: Routes<OwnerContext>) {
        routes.post("/v1/bikes", .manage, register)
        routes.get("/v1/bikes", .read, bikes)
        routes.get("/v1/bikes/:bike", .read, bike)
        routes.patch("/v1/bikes/:bike", .manage, change)
        routes.delete("/v1/bikes/:bike", .manage, erase)
        routes.get("/v1/bikes/:bike/history", .read, history)
        routes.post("/v1/bikes/:bike/beacon", .manage, changeBeacon)
        routes.post("/v1/bikes/:bike/beacon/test", .manage, testBeacon)
        routes.post("/v1/bikes/:bike/beacon/check", .manage, checkBeacon)
        routes.post("/v1/bikes/:bike/transfer", .manage, offerTransfer)
        routes.post("/v1/transfers", .manage, acceptTransfer)
    }

    @Sendable private func register(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let now = operations.clock.now
        let (draft, once) = try await request.creation(BikeDraft.rule(now: now), of: context.principal, at: now)
        let bike = try await operations.registerBike(draft, of: context.owner, once: once)
        let key = try await operations.keyOfRegistration(of: bike, for: context.owner)
        return try answer(bike, key, request, status: .created, at: "/v1/bikes/\(bike.id)")
    }

    @Sendable private func bikes(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await store.bikes(of: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func bike(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try .tagged(try await seen(context), for: request)
    }

    @Sendable private func change(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let patch = try await request.patch(BikePatch.rule(now: operations.clock.now))
        let bike = try await seen(context)
        try request.checkPrecondition(of: bike, "bike")
        let changed = try await operations.changeBike(bike, patch, by: context.act(request, operations))
        return try .tagged(changed, for: request)
    }

    @Sendable private func erase(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let bike = try await seen(context)
        try request.checkPrecondition(of: bike, "bike")
        try await operations.eraseBike(bike, by: context.act(request, operations))
        return Response(status: .noContent)
    }

    @Sendable private func history(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await store.history(
            of: try context.id("bike", of: "bike"), owner: context.owner, try Paging.page(request)
        )
        return try Paging.answer(page, to: request)
    }

    /// If it is repeated after a lost response, If-Match refuses it, so it is not done twice.
    @Sendable private func changeBeacon(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let change = try await request.optionalValue(BeaconChange.rule(now: operations.clock.now))
        let bike = try await seen(context)
        try request.checkPrecondition(of: bike, "bike")
        let changed = try await operations.changeBeacon(of: bike, change, by: context.act(request, operations))
        // An exchange makes no key: somebody with the owner's token must not learn one later.
        let key = change.rotating == true ? try await operations.newKey(of: changed, for: context.owner) : nil
        return try answer(changed, key, request)
    }

    /// A bike with its new beacon. The key of a rotating beacon is shown only here, and is not part of what the tag
    /// names.
    private func answer(
        _ bike: Bike, _ key: RotatingBeaconKey?, _ request: Request, status: HTTPResponse.Status = .ok,
        at location: String? = nil
    ) throws -> Response {
        var shown = bike
        if let key {
            shown.rotation?.key = key.hexadecimal
            shown.rotation?.keyCode = QRCode(key.hexadecimal)?.svg
        }
        return try .tagged(shown, as: bike, for: request, status: status, at: location)
    }

    /// Repeating it is safe: the last check counts.
    @Sendable private func checkBeacon(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let check = try await request.value(BeaconCheck.rule(now: operations.clock.now))
        let bike: BikeID = try context.id("bike", of: "bike")
        return try .tagged(
            try await operations.checkBeacon(check, of: bike, by: context.act(request, operations)), for: request)
    }

    /// Repeating it is safe: the time starts over.
    @Sendable private func testBeacon(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        let bike: BikeID = try context.id("bike", of: "bike")
        return try .tagged(
            try await store.testBeacon(of: bike, by: context.act(request, operations)), for: request)
    }

    /// Repeating it is safe: only the newest code works.
    @Sendable private func offerTransfer(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        let bike: BikeID = try context.id("bike", of: "bike")
        return try .json(
            try await operations.offerTransfer(of: bike, by: context.act(request, operations)), status: .created
        )
    }

    @Sendable private func acceptTransfer(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let act = context.act(request, operations)
        let (code, once) = try await request.creation(
            TransferAcceptance.rule(now: act.time), of: context.principal, at: act.time)
        let bike = try await operations.acceptTransfer(code, by: act, once: once)
        return try .tagged(bike, for: request, status: .created, at: "/v1/bikes/\(bike.id)")
    }

    private func seen(_ context: OwnerContext) async throws -> Bike {
        try await operations.bike(try context.id("bike", of: "bike"), of: context.owner)
    }
}
