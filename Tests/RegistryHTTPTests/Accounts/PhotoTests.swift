import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Photos
import Registry
import RegistryAPI
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Photos of bikes")
struct PhotoTests {
    private static let file = JPEGSample(64, 48, orientation: 6).bytes

    /// A registry with photos, an owner, and the path of a bike's photos.
    private static func run(
        _ test: @Sendable (Harness, MemoryPhotoStore, String, String) async throws -> Void
    ) async throws {
        let pictures = MemoryPhotoStore()
        let library = PhotoLibrary(pictures: pictures, converter: SampleConverter())
        try await Harness.run(photos: library) { registry in
            let owner = try await registry.newOwner()
            let bike = try await registry.newBike(of: owner)
            try await test(registry, pictures, owner, "/v1/bikes/\(bike.id)/photos")
        }
    }

    private static func add(
        _ registry: Harness, _ path: String, _ owner: String, _ file: [UInt8] = file, key: String? = nil,
        as mediaType: String = "image/jpeg"
    ) async throws -> Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(owner)", .contentType: mediaType]
        if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        let response = try await registry.client.execute(
            uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: file))
        return Answer(
            status: response.status.code, headers: response.headers, body: Data(response.body.readableBytesView))
    }

    @Test("a photo is added, listed, shown by size with a tag, put in order and removed")
    func life() async throws {
        try await Self.run { registry, pictures, owner, path in
            let first = try await Self.add(registry, path, owner)
            let photo: Photo = try first.value()
            #expect(first.status == 201 && first.headers[.location] == "\(path)/\(photo.id)")
            let second: Photo = try await Self.add(registry, path, owner).value()
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
            let large = try await registry.call(
                .get, "\(path)/\(photo.id)", token: owner, headers: [.ifNoneMatch: tag])
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
    }

    @Test("a stranger, a finder of the address and another bike's owner get 404 or 401, never a picture")
    func strangers() async throws {
        try await Self.run { registry, _, owner, path in
            let photo: Photo = try await Self.add(registry, path, owner).value()
            let stranger = try await registry.newOwner()
            let own = try await registry.newBike(of: stranger, Samples.identity(2))
            for address in ["\(path)/\(photo.id)", "/v1/bikes/\(own.id)/photos/\(photo.id)"] {
                #expect(try await registry.call(.get, address, token: stranger).problem == "not-found")
                #expect(try await registry.call(.get, address).status == 401)
                #expect(try await registry.call(.delete, address, token: stranger).status == 404)
            }
            #expect(try await Self.add(registry, path, stranger).status == 404)
            #expect(try await registry.call(.get, path, token: stranger).status == 404)
        }
    }

    @Test("an upload that is repeated a hundred times gives one photo")
    func repeated() async throws {
        try await Self.run { registry, pictures, owner, path in
            let photo: Photo = try await Self.add(registry, path, owner, key: "a").value()
            for _ in 1...100 {
                #expect(try await Self.add(registry, path, owner, key: "a").value(Photo.self) == photo)
            }
            #expect(pictures.names.count == 1)
            let other = try await Self.add(registry, path, owner, JPEGSample(8, 8).bytes, key: "a")
            #expect(other.problem == "idempotency-key-reused")
        }
    }

    @Test("files that are no photos are refused in words, and are not counted")
    func refused() async throws {
        try await Self.run { registry, pictures, owner, path in
            let png = Array("\u{89}PNG\r\n".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            for _ in 1...25 {
                let answer = try await Self.add(registry, path, owner, png)
                #expect(answer.status == 422 && answer.problem == "photo-unusable")
                #expect(try answer.value(ProblemDetails.self).detail.hasPrefix("This file is not a JPEG photo"))
            }
            #expect(try await Self.add(registry, path, owner, as: "image/png").problem == "wrong-media-type")
            #expect(try await Self.add(registry, path, owner, as: "application/json").status == 415)
            #expect(try await Self.add(registry, path, owner, []).problem == "photo-unusable")
            let long = try await Self.add(
                registry, path, owner, [UInt8](repeating: 0, count: PhotoLimits.bytes + 1))
            #expect(long.status == 413 && long.problem == "too-large")
            #expect(try long.value(ProblemDetails.self).detail.contains("larger than 8 MB"))
            #expect(pictures.names.isEmpty)
            #expect(try await Self.add(registry, path, owner).status == 201)
        }
    }

    @Test("six photos a bike and twenty uploads an hour, with a remedy and a time to wait")
    func limits() async throws {
        try await Self.run { registry, pictures, owner, path in
            for _ in 1...20 {
                let photo: Photo = try await Self.add(registry, path, owner).value()
                #expect(try await registry.call(.delete, "\(path)/\(photo.id)", token: owner).status == 204)
            }
            let answer = try await Self.add(registry, path, owner)
            #expect(answer.status == 429 && answer.problem == "too-many-uploads")
            #expect(answer.headers[.retryAfter] == "3600")
            registry.clock.advance(by: .seconds(3600))
            for _ in 1...6 { #expect(try await Self.add(registry, path, owner).status == 201) }
            let full = try await Self.add(registry, path, owner)
            #expect(full.status == 409 && full.problem == "photos-full" && pictures.names.count == 6)
        }
    }

    @Test("erasing a bike or an account deletes the pictures before the response")
    func erasure() async throws {
        try await Self.run { registry, pictures, owner, path in
            let bike = String(path.dropLast(7))
            _ = try await Self.add(registry, path, owner)
            #expect(
                try await registry.call(.delete, bike, token: owner, headers: registry.tag(bike, token: owner)).status
                    == 204)
            #expect(pictures.names.isEmpty)
            let other = try await registry.newBike(of: owner, Samples.identity(2))
            _ = try await Self.add(registry, "/v1/bikes/\(other.id)/photos", owner)
            #expect(pictures.names.count == 1)
            let tag = try await registry.tag("/v1/owner", token: owner)
            #expect(try await registry.call(.delete, "/v1/owner", token: owner, headers: tag).status == 204)
            #expect(pictures.names.isEmpty)
        }
    }

    @Test("what a crash or a broken disk leaves between pictures and rows is deleted later, and nothing else")
    func upkeep() async throws {
        try await Self.run { registry, pictures, owner, path in
            let library = PhotoLibrary(pictures: pictures, converter: SampleConverter())
            let upkeep = PhotoUpkeep(
                records: registry.store, library: library,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let photo: Photo = try await Self.add(registry, path, owner).value()
            let kept = pictures.names
            let removed: Photo = try await Self.add(registry, path, owner).value()
            // The row is gone, and the pictures cannot be deleted.
            pictures.setBroken(true)
            #expect(try await registry.call(.delete, "\(path)/\(removed.id)", token: owner).status == 204)
            #expect(try await Self.add(registry, path, owner).problem == "storage-unavailable")
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

    @Test("photos have their own memory: one at a time from an owner, none of it taken from other calls")
    func budget() throws {
        let budget = BodyBudget()
        let owner = { (number: UInt64, isPhoto: Bool) in
            BodyBudget.Holder(
                principal: .owner(OwnerID(high: 1, low: number)), address: nil, isPhoto: isPhoto)
        }
        #expect(budget.take(PhotoLimits.bytes, owner(1, true)) && !budget.take(1, owner(1, true)))
        #expect(budget.take(PhotoLimits.bytes, owner(2, true)) && budget.take(PhotoLimits.bytes, owner(3, true)))
        #expect(!budget.take(1, owner(4, true)) && budget.take(1 << 20, owner(4, false)))
        budget.giveBack(PhotoLimits.bytes, owner(1, true))
        #expect(budget.take(1, owner(4, true)))
    }
}
