import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Photos
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Photos of bikes")
struct PhotoTests {
    private static let file = JPEGSample(64, 48, orientation: 6).bytes

    private let registry: Harness
    private let pictures = MemoryPhotoStore()
    private let owner: String
    /// Of the photos of the owner's bike.
    private let path: String

    init() async throws {
        registry = try Harness(photos: PhotoLibrary(pictures: pictures, converter: SampleConverter()))
        owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        path = "/v1/bikes/\(bike.id)/photos"
    }

    /// Adds a photo to the bike.
    private func add(
        _ file: [UInt8] = Self.file, by token: String? = nil, key: String? = nil, as mediaType: String = "image/jpeg"
    ) async throws -> Answer {
        try await registry.addPhoto(file, to: path, token: token ?? owner, key: key, as: mediaType)
    }

    @Test("a photo is added, listed, shown by size with a tag, put in order and removed")
    func life() async throws {
        let first = try await add()
        let photo: Photo = try first.value()
        #expect(first.status == 201 && first.headers[.location] == "\(path)/\(photo.id)")
        let second: Photo = try await add().value()
        let list = try await registry.call(.get, path, token: owner)
        #expect(try list.value(Page<Photo>.self).items == [photo, second])
        let shown = try await registry.call(.get, "\(path)/\(photo.id)?size=small", token: owner)
        #expect(shown.status == 200 && shown.headers[.contentType] == "image/jpeg")
        #expect(shown.headers[.cacheControl] == "private, no-cache")
        #expect(shown.headers[.xContentTypeOptions] == "nosniff" && Array(shown.body.prefix(2)) == [0xFF, 0xD8])
        let tag = try #require(shown.headers[.eTag])
        // The picture is not even read if the caller has it.
        pictures.setBroken(true)
        let again = try await registry.call(
            .get, "\(path)/\(photo.id)?size=small", token: owner, headers: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.body.isEmpty)
        pictures.setBroken(false)
        let large = try await registry.call(.get, "\(path)/\(photo.id)", token: owner, headers: [.ifNoneMatch: tag])
        #expect(large.status == 200)
        let wrong = try await registry.call(.get, "\(path)/\(photo.id)?size=huge", token: owner)
        #expect(wrong.problem == "invalid-query")
        let order = try await registry.call(
            .put, path, token: owner, body: #"{"photos":["\#(second.id)","\#(photo.id)"]}"#)
        #expect(try order.value(Page<Photo>.self).items == [second, photo])
        let bike: Bike = try await registry.call(.get, String(path.dropLast(7)), token: owner).value()
        #expect(bike.photo == second.id)
        let half = try await registry.call(.put, path, token: owner, body: #"{"photos":["\#(second.id)"]}"#)
        #expect(half.pointers == ["/photos"])
        #expect(pictures.names.count == 2)
        #expect(try await registry.call(.delete, "\(path)/\(photo.id)", token: owner).status == 204)
        #expect(pictures.names.count == 1)
        #expect(try await registry.call(.delete, "\(path)/\(photo.id)", token: owner).status == 404)
        #expect(try await registry.call(.get, "\(path)/\(photo.id)", token: owner).status == 404)
    }

    @Test("a stranger, a finder of the address and another bike's owner get 404 or 401, never a picture")
    func strangers() async throws {
        let photo: Photo = try await add().value()
        let stranger = try await registry.newOwner()
        let own = try await registry.newBike(of: stranger, Samples.identity(2))
        for address in ["\(path)/\(photo.id)", "/v1/bikes/\(own.id)/photos/\(photo.id)"] {
            #expect(try await registry.call(.get, address, token: stranger).problem == "not-found")
            #expect(try await registry.call(.get, address).status == 401)
            #expect(try await registry.call(.delete, address, token: stranger).status == 404)
        }
        #expect(try await add(by: stranger).status == 404)
        #expect(try await registry.call(.get, path, token: stranger).status == 404)
    }

    @Test("an upload that is repeated a hundred times gives one photo")
    func repeated() async throws {
        let photo: Photo = try await add(key: "a").value()
        for _ in 1...100 {
            #expect(try await add(key: "a").value(Photo.self) == photo)
        }
        #expect(pictures.names.count == 1)
        let other = try await add(JPEGSample(8, 8).bytes, key: "a")
        #expect(other.problem == "idempotency-key-reused")
    }

    @Test("files that are no photos are refused in words, and are not counted")
    func refused() async throws {
        let png = Array("\u{89}PNG\r\n".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        for _ in 1...25 {
            let answer = try await add(png)
            #expect(answer.status == 422 && answer.problem == "photo-unusable")
            #expect(try answer.value(ProblemDetails.self).detail.hasPrefix("This file is not a JPEG photo"))
        }
        #expect(try await add(as: "image/png").problem == "wrong-media-type")
        #expect(try await add(as: "application/json").status == 415)
        #expect(try await add([]).problem == "photo-unusable")
        let long = try await add([UInt8](repeating: 0, count: PhotoLimits.bytes + 1))
        #expect(long.status == 413 && long.problem == "too-large")
        #expect(try long.value(ProblemDetails.self).detail.contains("larger than 24 MB"))
        #expect(pictures.names.isEmpty)
        #expect(try await add().status == 201)
    }

    @Test("six photos a bike and twenty uploads an hour, with a remedy and a time to wait")
    func limits() async throws {
        for _ in 1...20 {
            let photo: Photo = try await add().value()
            #expect(try await registry.call(.delete, "\(path)/\(photo.id)", token: owner).status == 204)
        }
        let answer = try await add()
        #expect(answer.status == 429 && answer.problem == "too-many-uploads")
        #expect(answer.headers[.retryAfter] == "3600")
        registry.clock.advance(by: .seconds(3600))
        for _ in 1...6 { #expect(try await add().status == 201) }
        let full = try await add()
        #expect(full.status == 409 && full.problem == "photos-full" && pictures.names.count == 6)
    }

    @Test("erasing a bike or an account deletes the pictures before the response")
    func erasure() async throws {
        let bike = String(path.dropLast(7))
        _ = try await add()
        #expect(
            try await registry.call(.delete, bike, token: owner, headers: registry.tag(bike, token: owner)).status
                == 204)
        #expect(pictures.names.isEmpty)
        let other = try await registry.newBike(of: owner, Samples.identity(2))
        _ = try await registry.addPhoto(Self.file, to: "/v1/bikes/\(other.id)/photos", token: owner)
        #expect(pictures.names.count == 1)
        let tag = try await registry.tag("/v1/owner", token: owner)
        #expect(try await registry.call(.delete, "/v1/owner", token: owner, headers: tag).status == 204)
        #expect(pictures.names.isEmpty)
    }

    @Test("a picture that is removed while it is read ends early: its reader sees that bytes are missing")
    func removedMeanwhile() async throws {
        let pictures = MemoryPhotoStore()
        let registry = try Harness(
            photos: PhotoLibrary(pictures: pictures, converter: SampleConverter(padding: 3 * responsePiece)))
        let owner = try await registry.newOwner()
        let path = "/v1/bikes/\(try await registry.newBike(of: owner).id)/photos"
        let photo: Photo = try await registry.addPhoto(Self.file, to: path, token: owner).value()
        let response = try await registry.respond(.get, "\(path)/\(photo.id)", token: owner)
        let length = try #require(response.headers[.contentLength].flatMap(Int.init))
        #expect(response.status == .ok && length > 3 * responsePiece)
        let body = CollectedBody { try await pictures.remove(Array(pictures.names)) }
        await #expect(throws: (any Error).self) { try await response.body.write(body) }
        #expect(body.data.count == responsePiece)
    }

    @Test("an upload that was steady until a faster one took its place is not counted; one that stalled is")
    func displaced() async throws {
        for bytes in [17_000, 1000] {
            let time = HandClock()
            let now: @Sendable () -> Int64 = { time.now.milliseconds * 1_000_000 }
            var options = ServerOptions()
            options.uploads = TransferPlaces(1, now: now)
            let library = PhotoLibrary(pictures: MemoryPhotoStore(), converter: SampleConverter())
            let registry = try Harness(photos: library, options: options)
            let (slow, fast) = (try await registry.newOwner(), try await registry.newOwner())
            let bike = try await registry.newBike(of: slow)
            let path = "/v1/bikes/\(bike.id)/photos"
            let other = try await registry.newBike(of: fast, Samples.identity(2))
            let (parts, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
            let read = Tally()
            let body = parts.map { part in
                read.add()
                return part
            }
            async let answer = registry.respond(
                .post, path, token: slow, headers: [.contentType: "image/jpeg"],
                body: RequestBody(asyncSequence: body))
            continuation.yield(ByteBuffer(repeating: 0, count: bytes))
            continuation.yield(ByteBuffer())
            try await read.reach(2)
            for second in 1...6 {
                time.advance(by: .seconds(1))
                continuation.yield(ByteBuffer(repeating: 0, count: bytes))
                // The empty part is asked for once the one before was counted.
                continuation.yield(ByteBuffer())
                try await read.reach(2 + 2 * second)
            }
            let added = try await registry.addPhoto(
                Self.file, to: "/v1/bikes/\(other.id)/photos", token: fast)
            #expect(added.status == 201)
            continuation.yield(ByteBuffer(repeating: 0, count: bytes))
            continuation.finish()
            let ended = try await answer
            #expect(try await registry.read(ended).problem == "place-lost")
            let account = try #require(try await registry.operations.credential(token: slow)?.principal.owner)
            let left = PhotoRules.uploadsPerHour - (bytes == 1000 ? 1 : 0)
            for _ in 1...left { try await registry.store.countUpload(to: bike.id, by: registry.act(of: account)) }
            await #expect(throws: DomainError.self) {
                try await registry.store.countUpload(to: bike.id, by: registry.act(of: account))
            }
        }
    }

    @Test("what a crash or a broken disk leaves between pictures and rows is deleted later, and nothing else")
    func upkeep() async throws {
        let library = PhotoLibrary(pictures: pictures, converter: SampleConverter())
        let upkeep = PhotoUpkeep(records: registry.store, library: library, logger: .silent)
        let photo: Photo = try await add().value()
        let kept = pictures.names
        let removed: Photo = try await add().value()
        // The row is gone, and the pictures cannot be deleted.
        pictures.setBroken(true)
        #expect(try await registry.call(.delete, "\(path)/\(removed.id)", token: owner).status == 204)
        #expect(try await add().problem == "storage-unavailable")
        await upkeep.tidy(orphans: true)
        pictures.setBroken(false)
        #expect(pictures.names.count == 2)
        // Pictures were stored, and the registry ended before it had a row for them.
        try await pictures.put(try await SampleConverter().convert([]), as: PhotoName(high: 1, low: 1))
        await upkeep.tidy(orphans: false)
        #expect(pictures.names == kept.union([PhotoName(high: 1, low: 1)]))
        await upkeep.tidy(orphans: true)
        #expect(pictures.names == kept)
        #expect(try await registry.call(.get, "\(path)/\(photo.id)", token: owner).status == 200)
    }
}
