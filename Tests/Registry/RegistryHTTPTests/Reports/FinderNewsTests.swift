import FoundationEssentials
import HTTPTypes
import Operations
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("What finders’ pages do with JavaScript")
struct FinderNewsTests {
    private let registry: Harness
    private let owner: String
    private let bike: Bike
    /// The path of a conversation about the bike.
    private let path: String

    init() async throws {
        registry = try Harness(photos: PhotoLibrary(pictures: MemoryPhotoStore(), converter: SampleConverter()))
        owner = try await registry.newOwner()
        bike = try await registry.newBike(of: owner)
        let sticker: StickerCreated = try await registry.call(.put, "/v1/bikes/\(bike.id)/sticker", token: owner)
            .value()
        let sent = try await registry.call(
            .post, "/found", body: "code=\(sticker.code)&message=Here", headers: [.contentType: FormFields.mediaType])
        path = try #require(sent.headers[.location])
    }

    private func conversation() async throws -> Conversation {
        let page: Page<Conversation> = try await registry.call(
            .get, "/v1/bikes/\(bike.id)/conversations", token: owner
        ).value()
        return try #require(page.items.first)
    }

    @Test("the page learns of an answer, and gets no body while nothing has changed")
    func news() async throws {
        let first = try await registry.call(.get, path + "/news")
        let shown: ConversationNews = try first.value()
        #expect(shown.messages.map(\.text) == ["Here"] && shown.writable && shown.photos == nil)
        let tag = try #require(first.headers[.eTag])
        let again = try await registry.call(.get, path + "/news", headers: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.body.isEmpty)
        let answers = "/v1/bikes/\(bike.id)/conversations/\(try await conversation().id)/answers"
        _ = try await registry.post(answers, token: owner, MessageDraft(text: "Thanks"))
        let news: ConversationNews = try await registry.call(
            .get, path + "/news", headers: [.ifNoneMatch: tag]
        ).value()
        #expect(news.messages.map(\.from) == [.finder, .owner])
        let unknown = "/messages/" + String(repeating: "A", count: 43)
        for wrong in [unknown, "/messages/x", "/messages/%00"] {
            #expect(try await registry.call(.get, wrong + "/news").status == 404)
        }
    }

    @Test("a photo is refused if it is none, too large or one too many; each side sees it only in its conversation")
    func photos() async throws {
        let file = JPEGSample(64, 48).bytes
        func add(_ bytes: [UInt8], as type: String = "image/jpeg", to path: String? = nil) async throws -> Answer {
            try await registry.call(
                .post, (path ?? self.path) + "/photos", token: nil, bytes: bytes, headers: [.contentType: type])
        }
        #expect(try await add(file, as: "image/png").status == 415)
        #expect(try await add(Array("%PDF-1.7".utf8)).status == 422)
        #expect(try await add(Array(repeating: 0, count: MessageRules.photoFile + 1)).status == 413)
        #expect(try await add(file, to: "/messages/" + String(repeating: "A", count: 43)).status == 404)
        let made = try await add(file)
        let photo: ConversationPhoto = try made.value()
        #expect(made.status == 201)
        for _ in 2...MessageRules.photos { #expect(try await add(file).status == 201) }
        #expect(try await add(file).problem == "too-many-finder-photos")
        let conversation = try await conversation()
        #expect(conversation.photos?.first == photo && conversation.photos?.count == MessageRules.photos)
        let own = try await registry.call(.get, "\(path)/photos/\(photo.id)?size=small")
        #expect(own.status == 200 && own.headers[.contentType] == "image/jpeg")
        let ofOwner = "/v1/bikes/\(bike.id)/conversations/\(conversation.id)/photos/\(photo.id)"
        #expect(try await registry.call(.get, ofOwner, token: owner).status == 200)
        #expect(try await registry.call(.get, ofOwner, token: try await registry.newOwner()).status == 404)
        let `operator` = try await registry.newOperator()
        let reported = "/v1/reported-conversations/\(conversation.id)/photos/\(photo.id)"
        #expect(try await registry.call(.get, reported, token: `operator`).status == 404)
        let closure = "/v1/bikes/\(bike.id)/conversations/\(conversation.id)/closure"
        _ = try await registry.call(.put, closure, token: owner, body: #"{"blocked":true,"report":"Look"}"#)
        #expect(try await registry.call(.get, reported, token: `operator`).status == 200)
        #expect(try await add(file).problem == "conversation-ended")
    }

    @Test("somebody with a link to the search writes once for each key, until the link or the search has ended")
    func shared() async throws {
        let report = try await registry.newReport(on: bike.id, of: owner)
        let share: ShareCreated = try await registry.post(
            "/v1/bikes/\(bike.id)/shares", token: owner, ShareDraft(label: "Club")
        ).value()
        func write(_ text: String, _ byte: UInt8 = 7, by secret: String? = nil) async throws -> Answer {
            let key = Base64URL(Array(repeating: byte, count: 32))
            return try await registry.post(
                "/v1/share/messages", token: secret ?? share.secret, SharedMessage(text: text, key: key))
        }
        let first = try await write("I saw it")
        #expect(first.status == 201)
        let page = try first.value(SharedConversation.self).page
        #expect(try await write("I saw it").value(SharedConversation.self).page == page)
        #expect(try await registry.call(.get, page).status == 200)
        let list: Page<Conversation> = try await registry.call(
            .get, "/v1/bikes/\(bike.id)/conversations", token: owner
        ).value()
        #expect(list.items.map(\.origin) == [.sticker, .share])
        // The same key with another text begins another conversation, with another secret.
        #expect(try await write("Where?").value(SharedConversation.self).page != page)
        #expect(try await write("Third", 8).status == 201)
        #expect(try await write("Fourth", 9).problem == "too-many-conversations")
        #expect(try await write("").status == 422)
        #expect(try await write("x", by: owner).status == 401)
        let closed = try await registry.call(
            .post, "/v1/bikes/\(bike.id)/reports/\(report.id)/closure", token: owner, body: #"{"outcome":"falseAlarm"}"#
        )
        #expect(closed.status == 200)
        #expect(try await write("Late", 10).problem == "search-over")
    }
}
