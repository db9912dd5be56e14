import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Photos
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for photos of bikes.
struct PhotoCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    /// The places for photos that arrive.
    let uploads: TransferPlaces
    let proxies: TrustedProxies
    /// Authenticates a request again.
    let recheck: @Sendable (Request, RegistryContext) async throws -> Void

    func add(to calls: Calls<OwnerContext>) {
        let path = "/v1/bikes/:bike/photos"
        calls.post(
            path, .manage, "Add a photo",
            """
            The body is a JPEG file of up to \(PhotoLimits.bytes >> 20) MB and \(PhotoLimits.pixels / 1_000_000) \
            megapixels. It becomes the bike’s last photo: two upright pictures without data of camera or place. A \
            bike has up to \(PhotoRules.most), and an owner may send \(PhotoRules.uploadsPerHour) an hour, \
            counted from the header of the request on. Of many that arrive at a time, the slowest is ended.
            """
        )
        .takingByItself(.photo).acceptingOnceKey.needing(.manage)
        .refusing(request: .notPhoto, .placeLost)
        .refusing(.photoUnusable(.tooLong), .photoUnusable(.truncated), .photosFull, .ownerSuspended)
        .refusing(.quotaReached(.photos, most: 60), .tooManyUploads(retryAfter: .seconds(600)))
        .creating(Example.photo, "The photo.", id: \.id) { try await addPhoto($0) }

        // All photos on one page, since a bike has few.
        calls.get(path, .read, "List a bike’s photos", "All at once, in the owner’s order.")
            .showing(Page(items: [Example.photo]), "The photos.") { request in
                Page(items: try await store.photos(of: try request.id("bike"), owner: request.owner))
            }

        // Repeating it is safe: the order is the same.
        calls.put(
            path, .manage, "Put a bike’s photos in order",
            "`photos` names each of them once. The first is the bike’s `photo`."
        )
        .taking(PhotoOrder(photos: [Example.photo.id])).needing(.manage).daily(.photoOrders)
        .showing(Page(items: [Example.photo]), "The photos in their new order.") { request in
            let bike: BikeID = try request.id("bike")
            return Page(
                items: try await store.orderPhotos(request.body.photos, of: bike, by: request.act(operations)))
        }

        // The picture at an address never changes, but may be revoked. So caches must ask each time, and do not get the
        // body again.
        calls.get(path + "/:photo", .read, "Get a photo’s picture")
            .with(.photoSize).givingPicture([.eTag]).givingNotModified
            .responding { request in
                let size = try request.http.photoSize
                let photo: PhotoID = try request.id("photo")
                let stored = try await store.photo(photo, of: try request.id("bike"), owner: request.owner)
                let tag = "\"\(photo)-\(size.rawValue)\""
                let headers: HTTPFields = [
                    .eTag: tag, .cacheControl: "private, no-cache", .vary: "Authorization, Cookie",
                ]
                guard !EntityTag.isNamed(tag, by: request.http.headers[.ifNoneMatch]) else {
                    return Response(status: .notModified, headers: headers)
                }
                let picture = try await operations.picture(size, of: stored)
                return .picture(picture, headers: headers, over: request.context.connection)
            }

        calls.put(
            path + "/:photo/consent", .manage, "Let staff of venues see a photo, or no longer",
            """
            With `forStaff`, the displays and alarms of a station show a small picture while the bike is missing and the \
            station hears it, by a link that ends with the visit. It is off until the owner turns it on. If it is turned \
            off while the bike is missing, all channels get a message.
            """
        )
        .taking(PhotoConsent(forStaff: true)).needing(.manage).daily(.photoConsents)
        .answering(Example.photo, "The photo.") { request in
            let photo: PhotoID = try request.id("photo")
            return try await operations.letStaffSee(
                request.body.forStaff, photo, of: try request.id("bike"), by: request.act(operations))
        }

        calls.delete(
            path + "/:photo", .manage, "Remove a photo",
            "Its pictures are deleted from the disk. While the bike is missing, this is announced on all channels."
        )
        .needing(.manage)
        .done("It is gone.") { request in
            let photo: PhotoID = try request.id("photo")
            try await operations.removePhoto(photo, of: try request.id("bike"), by: request.act(operations))
        }
    }

    /// Reads and stores a photo, after its upload has been counted.
    private func addPhoto(_ request: CallRequest<OwnerContext, Void>) async throws -> Photo {
        let (bike, http): (BikeID, Request) = (try request.id("bike"), request.http)
        let act = request.act(operations)
        guard http.headers.mediaType == MediaType.jpeg else { throw RequestError.notPhoto }
        _ = try http.idempotencyKey()
        if let length = http.headers[.contentLength].flatMap(Int.init), length > PhotoLimits.bytes {
            throw DomainError.photoUnusable(.tooLong)
        }
        try await store.countUpload(to: bike, by: act)
        let (place, file) = try await readFile(of: http, request.context, by: act)
        defer { withExtendedLifetime(place) {} }
        try await recheck(http, request.context.client)
        let once = try http.onceKey(of: request.context.principal, body: file, at: act.time)
        return try await operations.addPhoto(file, to: bike, by: act, once: once)
    }

    /// Reads a photo in a separate place. The upload is not counted if there is no place, or if it was steady and a
    /// faster one took its place. An upload that stalls is counted, so repeating it uses up the hour's uploads.
    private func readFile(
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
}

extension Call.Body {
    fileprivate static var photo: Call.Body {
        Call.Body(name: "PhotoFile", mediaTypes: [MediaType.jpeg], presence: .required, schema: { _ in .binary })
    }
}

extension CallDeclaration {
    /// Describes the response with a picture of the size that was asked for.
    func givingPicture(_ headers: [HeaderField]) -> CallDeclaration {
        refusing(request: .invalidQuery("size", form: "‘large’ or ‘small’"))
            .giving(.ok, "The picture.", content: [.opaque(MediaType.jpeg)], headers: headers)
    }
}

extension Request {
    /// The size of the picture that a request asks for.
    var photoSize: PhotoSize {
        get throws {
            guard let text = uri.queryParameters["size"] else { return .large }
            // The contract's names are short: comparing a long text with them could take long.
            guard text.utf8.count <= 16, let size = PhotoSize(rawValue: String(text)) else {
                let names = PhotoSize.allCases.map { "‘\($0.rawValue)’" }.joined(separator: " or ")
                throw RequestError.invalidQuery("size", form: names)
            }
            return size
        }
    }
}

extension Parameter {
    static let photoSize = Parameter(
        name: "size", place: .query,
        summary:
            "The longer side: `large` is \(PhotoLimits.largeSide) pixels at most, `small` \(PhotoLimits.smallSide).",
        schema: .choice(PhotoSize.allCases.map(\.rawValue))
    )
}
