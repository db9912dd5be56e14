import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Begins a conversation about a code that may belong to no bike.
    fileprivate func converse(_ secret: String, about code: String = "code", from area: Int64 = 1) async throws {
        let new = NewConversation(
            id: newID(), secret: SecretDigest(of: secret), found: .sticker(SecretDigest(of: code)),
            network: FinderNetwork(subscriber: area, area: area), text: "Here it is", time: now)
        #expect(try await store.beginConversation(new))
    }

    @discardableResult
    fileprivate func addPhoto(
        in secret: String, from subscriber: Int64 = 1, area: Int64 = 1, bytes: Int = 700
    ) async throws -> StoredPhoto {
        let photo = newPhoto()
        let sized = StoredPhoto(
            Photo(id: photo.photo.id, created: now, width: 16, height: 8, bytes: bytes), name: photo.name)
        let network = FinderNetwork(subscriber: subscriber, area: area)
        try await store.addPhoto(sized, in: SecretDigest(of: secret), from: network, at: now)
        return sized
    }

    fileprivate func photos(in secret: String) async throws -> [PhotoID] {
        try #require(try await store.conversation(SecretDigest(of: secret))).photos?.map(\.id) ?? []
    }
}

extension StoreContract {
    static let finderPhotos = [
        StoreContract("a finder's photos are limited for each conversation, and for each network in a day") {
            store, stage in
            try await stage.converse("a")
            var photos: [StoredPhoto] = []
            for _ in 1...MessageRules.photos { photos.append(try await stage.addPhoto(in: "a")) }
            #expect(try await stage.photos(in: "a") == photos.map(\.photo.id))
            #expect(try await store.photo(photos[1].photo.id, in: SecretDigest(of: "a")) == photos[1])
            #expect(try await store.knownPhotos(among: photos.map(\.name)).count == photos.count)
            await #expect(throws: DomainError.message(.tooManyPhotos)) { try await stage.addPhoto(in: "a") }
            await #expect(throws: DomainError.notFound("conversation")) { try await stage.addPhoto(in: "none") }
            try await stage.converse("b")
            await #expect(throws: DomainError.notFound("photo")) {
                _ = try await store.photo(photos[1].photo.id, in: SecretDigest(of: "b"))
            }
            for _ in 1...MessageRules.photosPerNetwork - MessageRules.photos { try await stage.addPhoto(in: "b") }
            try await stage.converse("c")
            await #expect(throws: DomainError.message(.tooManyPhotos)) { try await stage.addPhoto(in: "c") }
            try await stage.addPhoto(in: "c", from: 2)
            stage.clock.advance(by: .days(1))
            try await stage.addPhoto(in: "c")
            try await store.endConversation(SecretDigest(of: "c"), isReported: false, at: stage.now)
            await #expect(throws: DomainError.message(.ended)) { try await stage.addPhoto(in: "c", from: 3) }
        },
        StoreContract(
            "a finder's photo reaches the owner and members who may report, and the operator once it is reported"
        ) {
            store, stage in
            let (owner, other) = (try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            _ = try await store.setSticker(SecretDigest(of: "code"), on: bike.id, by: stage.act(of: owner))
            try await stage.converse("a")
            let photo = try await stage.addPhoto(in: "a")
            let conversation = try #require(
                try await store.conversations(of: bike.id, by: owner, PageRequest(limit: 9)).items.first)
            #expect(conversation.photos?.map(\.id) == [photo.photo.id])
            let id = (photo.photo.id, conversation.id)
            #expect(try await store.photo(id.0, in: id.1, of: bike.id, by: owner) == photo)
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.photo(id.0, in: id.1, of: bike.id, by: other)
            }
            await #expect(throws: DomainError.notFound("photo")) { _ = try await store.reportedPhoto(id.0, in: id.1) }
            _ = try await store.closeConversation(
                id.1, of: bike.id, ConversationClosure(blocked: true, report: "Look"), by: stage.act(of: owner))
            #expect(try await store.reportedPhoto(id.0, in: id.1) == photo)
            // Whom the owner has blocked today adds nothing, and does not notice.
            try await stage.converse("later")
            try await stage.addPhoto(in: "later")
            #expect(try await store.conversations(of: bike.id, by: owner, PageRequest(limit: 9)).items.count == 1)
            try await store.settleConversation(id.1, by: stage.operatorAct)
            try await store.eraseBike(
                try #require(try await store.bike(bike.id, of: owner)), by: stage.act(of: owner))
            #expect(try await store.removedPhotos(limit: 9).contains(photo.name))
        },
        StoreContract("a flood of finders' photos displaces only those of the wider network that has the most") {
            store, stage in
            try await stage.converse("true", from: 9)
            let kept = try await stage.addPhoto(in: "true", from: 9, area: 9)
            let size = MessageRules.mostPhotoBytes / 4
            var flood = 0
            for number in 1...6 as ClosedRange<Int64> {
                try await stage.converse("\(number)", about: "\(number)", from: 1)
                do {
                    try await stage.addPhoto(in: "\(number)", from: number, area: 1, bytes: size)
                    flood += 1
                } catch DomainError.message(.tooManyPhotos) {
                    continue
                }
            }
            #expect(flood == 3)
            #expect(try await stage.photos(in: "true") == [kept.photo.id])
        },
    ]
}
