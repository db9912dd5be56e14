import HTTPTypes
import Hummingbird
import NIOCore
import Photos
import Registry
import RegistryAPI

/// The calls for photos of bikes.
struct PhotoRoutes {
    let operations: RegistryOperations
    let store: any PhotoRecords
    let uploads: TransferPlaces
    let proxies: TrustedProxies
    /// Authenticates a request again.
    let recheck: @Sendable (Request, RegistryContext) async throws -> Void

    func add(to routes: Routes<OwnerContext>) {
        routes.post("/v1/bikes/:bike/photos", .manage, add)
        routes.get("/v1/bikes/:bike/photos", .read, photos)
        routes.put("/v1/bikes/:bike/photos", .manage, order)
        routes.get("/v1/bikes/:bike/photos/:photo", .read, picture)
        routes.delete("/v1/bikes/:bike/photos/:photo", .manage, remove)
    }

    @Sendable private func add(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let bike = try bikeID(context)
        let act = context.act(request, operations)
        guard request.headers.mediaType == MediaType.jpeg else { throw RequestError.notPhoto }
        _ = try request.idempotencyKey()
        if let length = request.headers[.contentLength].flatMap(Int.init), length > PhotoLimits.bytes {
            throw DomainError.photoUnusable(.tooLong)
        }
        try await store.countUpload(to: bike, by: act)
        let (place, file) = try await file(of: request, context, by: act)
        defer { withExtendedLifetime(place) {} }
        try await recheck(request, context.client)
        let once = try request.onceKey(of: context.principal, body: file, at: act.time)
        let photo = try await operations.addPhoto(file, to: bike, by: act, once: once)
        return try .created(photo, at: "/v1/bikes/\(bike)/photos/\(photo.id)")
    }

    /// Reads a photo in a place of its own. The upload is not counted if there is no place, or if a faster one took its
    /// place although it was steady. One that stalls is: who repeats that comes to the end of the hour's uploads.
    private func file(
        of request: Request, _ context: OwnerContext, by act: OwnerAct
    ) async throws -> (TransferPlaces.Place, [UInt8]) {
        let connection = context.connection
        let place: TransferPlaces.Place
        do {
            place = try await uploads.enter(BodyBudget.Holder(of: request, context.client, proxies)) {
                connection.pipeline.fireUserInboundEventTriggered(LostPlace())
            }
        } catch {
            try await store.forgetUpload(by: act)
            throw error
        }
        do {
            let body = try await request.wholeBody { part, read in
                guard read <= PhotoLimits.bytes else { throw DomainError.photoUnusable(.tooLong) }
                try place.moved(part.readableBytes)
            }
            try place.complete()
            return (place, Array(body.readableBytesView))
        } catch RequestError.placeLost where place.wasLostSteadily {
            try await store.forgetUpload(by: act)
            throw RequestError.placeLost
        }
    }

    /// All photos at once, since a bike has few.
    @Sendable private func photos(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try .tagged(Page(items: try await store.photos(of: try bikeID(context), owner: context.owner)), for: request)
    }

    /// Repeating it is safe: the order is the same.
    @Sendable private func order(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let order = try await request.value(PhotoOrder.rule(now: operations.clock.now))
        let bike = try bikeID(context)
        let photos = try await store.orderPhotos(order.photos, of: bike, by: context.act(request, operations))
        return try .tagged(Page(items: photos), for: request)
    }

    /// A picture never changes under its address, but may be revoked: so caches must ask, and get no body again.
    @Sendable private func picture(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let size = try Self.size(in: request)
        let photo: PhotoID = try context.id("photo", of: "photo")
        let stored = try await store.photo(photo, of: try bikeID(context), owner: context.owner)
        let tag = "\"\(photo)-\(size.rawValue)\""
        let headers: HTTPFields = [.eTag: tag, .cacheControl: "private, no-cache", .vary: "Authorization, Cookie"]
        guard !EntityTag.isNamed(tag, by: request.headers[.ifNoneMatch]) else {
            return Response(status: .notModified, headers: headers)
        }
        return .picture(try await operations.picture(size, of: stored), headers: headers, over: context.connection)
    }

    @Sendable private func remove(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let photo: PhotoID = try context.id("photo", of: "photo")
        try await operations.removePhoto(photo, of: try bikeID(context), by: context.act(request, operations))
        return Response(status: .noContent)
    }

    /// The size that a request asks for.
    static func size(in request: Request) throws -> PhotoSize {
        guard let text = request.uri.queryParameters["size"] else { return .large }
        // The contract's names are short: comparing a long text with them could take long.
        guard text.utf8.count <= 16, let size = PhotoSize(rawValue: String(text)) else {
            let names = PhotoSize.allCases.map { "‘\($0.rawValue)’" }.joined(separator: " or ")
            throw RequestError.invalidQuery("size", form: names)
        }
        return size
    }

    private func bikeID(_ context: OwnerContext) throws -> BikeID { try context.id("bike", of: "bike") }
}
