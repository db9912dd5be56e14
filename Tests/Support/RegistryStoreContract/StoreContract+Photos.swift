import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    func newPhoto() -> StoredPhoto {
        var entropy = entropy
        return StoredPhoto(
            Photo(id: newID(), created: now, width: 16, height: 8, bytes: 700), name: PhotoName(using: &entropy))
    }

    @discardableResult
    func addPhoto(to bike: Bike, of owner: OwnerID, once: IdempotencyKey? = nil) async throws -> StoredPhoto {
        try await store.addPhoto(newPhoto(), to: bike.id, by: act(of: owner), once: once)
    }
}

extension StoreContract {
    static let photos = [
        StoreContract("a bike has up to six photos in their order, which only its owner sees") { store, stage in
            let (owner, other) = (try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            var made: [StoredPhoto] = []
            for _ in 1...PhotoRules.most { made.append(try await stage.addPhoto(to: bike, of: owner)) }
            await #expect(throws: DomainError.photosFull) { try await stage.addPhoto(to: bike, of: owner) }
            await #expect(throws: DomainError.photosFull) {
                _ = try await store.beginUpload(to: bike.id, by: stage.act(of: owner), once: nil)
            }
            #expect(try await store.photos(of: bike.id, owner: owner) == made.map(\.photo))
            #expect(try await store.bike(bike.id, of: owner)?.photo == made[0].photo.id)
            #expect(try await store.photo(made[1].photo.id, of: bike.id, owner: owner) == made[1])
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.photos(of: bike.id, owner: other)
            }
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.photo(made[1].photo.id, of: bike.id, owner: other)
            }
            await #expect(throws: DomainError.notFound("bike")) { try await stage.addPhoto(to: bike, of: other) }
            let second = try await stage.bike(of: other, Samples.identity(2))
            await #expect(throws: DomainError.notFound("photo")) {
                try await store.removePhoto(made[1].photo.id, of: second.id, by: stage.act(of: other))
            }
            let turned = made.map(\.photo.id).reversed() as [PhotoID]
            #expect(
                try await store.orderPhotos(turned, of: bike.id, by: stage.act(of: owner)).map(\.id) == turned)
            #expect(try await store.bike(bike.id, of: owner)?.photo == turned[0])
            for wrong in [
                [], Array(turned.dropLast()), turned.dropLast() + [turned[0]], turned.dropLast() + [stage.newID()],
            ] {
                await #expect(throws: DomainError.self) {
                    _ = try await store.orderPhotos(wrong, of: bike.id, by: stage.act(of: owner))
                }
            }
            #expect(try await store.photos(of: bike.id, owner: owner).map(\.id) == turned)
        },
        StoreContract("a repeated upload finds its photo") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let once = stage.onceKey("a", of: owner)
            let act = stage.act(of: owner)
            #expect(try await store.beginUpload(to: bike.id, by: act, once: once) == nil)
            let photo = try await stage.addPhoto(to: bike, of: owner, once: once)
            // A second attempt that began before the first one ended.
            #expect(try await stage.addPhoto(to: bike, of: owner, once: once) == photo)
            for _ in 1...PhotoRules.uploadsPerHour * 2 {
                #expect(try await store.beginUpload(to: bike.id, by: act, once: once) == photo)
            }
            #expect(try await store.photos(of: bike.id, owner: owner).count == 1)
            await #expect(throws: DomainError.idempotencyKeyReused) {
                let other = stage.onceKey("a", of: owner, request: "other")
                _ = try await store.beginUpload(to: bike.id, by: act, once: other)
            }
        },
        StoreContract("the photos that an owner sends in an hour, and has, are limited") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let begin = { try await store.countUpload(to: bike.id, by: stage.act(of: owner)) }
            for _ in 1...PhotoRules.uploadsPerHour { try await begin() }
            // One of those that began at the same time cost nothing.
            try await store.forgetUpload(by: stage.act(of: owner))
            try await begin()
            stage.clock.advance(by: .seconds(600))
            try await store.deleteLeftovers(at: stage.now)
            await #expect(throws: DomainError.tooManyUploads(retryAfter: .seconds(3000))) { try await begin() }
            stage.clock.advance(by: .seconds(3000))
            try await store.deleteLeftovers(at: stage.now)
            try await begin()
            try await stage.allow(owner, QuotaExceptions(photos: 1))
            try await stage.addPhoto(to: bike, of: owner)
            let second = try await stage.bike(of: owner, Samples.identity(2))
            await #expect(throws: DomainError.quotaReached(.photos, most: 1)) {
                try await stage.addPhoto(to: second, of: owner)
            }
        },
        StoreContract("removing a photo is announced while its bike is missing, and only then") { store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let photos = [try await stage.addPhoto(to: bike, of: owner), try await stage.addPhoto(to: bike, of: owner)]
            try await stage.deliver()
            try await store.removePhoto(photos[0].photo.id, of: bike.id, by: stage.act(of: owner))
            #expect(try await stage.deliver().isEmpty)
            _ = try await stage.openReport(on: bike.id, of: owner)
            try await stage.deliver()
            try await store.removePhoto(photos[1].photo.id, of: bike.id, by: stage.act(of: owner))
            #expect(try await stage.deliver().compactMap(\.content.notice?.event) == [.bikeChanged])
            #expect(Set(try await store.removedPhotos(limit: 9)) == Set(photos.map(\.name)))
        },
        StoreContract("photos are removed with their bike or owner, and when the bike is handed over") { store, stage in
            let (owner, taker) = (try await stage.owner(), try await stage.owner())
            var names: Set<PhotoName> = []
            var bikes: [Bike] = []
            for minor in 1...3 as ClosedRange<UInt16> {
                let bike = try await stage.bike(of: owner, Samples.identity(minor))
                for _ in 1...2 { names.insert(try await stage.addPhoto(to: bike, of: owner).name) }
                bikes.append(try #require(try await store.bike(bike.id, of: owner)))
            }
            #expect(try await store.knownPhotos(among: Array(names)) == names)
            #expect(
                try await store.export(of: owner, at: stage.now).bikes.map(\.photos.count) == [2, 2, 2])
            try await store.eraseBike(bikes[0], by: stage.act(of: owner))
            #expect(try await store.removedPhotos(limit: 99).count == 2)
            try await store.offerTransfer(
                of: bikes[1].id, code: SecretDigest(of: "code"), expires: stage.now.advanced(by: .seconds(60)),
                by: stage.act(of: owner))
            let taken = try await store.acceptTransfer(
                code: SecretDigest(of: "code"), by: stage.act(of: taker), once: nil)
            #expect(taken.photo == nil)
            #expect(try await store.photos(of: taken.id, owner: taker).isEmpty)
            #expect(try await store.removedPhotos(limit: 99).count == 4)
            try await store.eraseOwner(try #require(try await store.owner(owner)), by: stage.act(of: owner))
            let removed = try await store.removedPhotos(limit: 99)
            #expect(Set(removed) == names)
            #expect(try await store.knownPhotos(among: removed).isEmpty)
            try await store.forgetRemovedPhotos(Array(removed.prefix(5)))
            #expect(try await store.removedPhotos(limit: 99) == Array(removed.suffix(1)))
        },
    ]
}
