import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Begins a conversation whose secret is its name, and which every other call with this name continues.
    @discardableResult
    func begin(
        _ name: String = "finder", about found: FoundBike, from network: FinderNetwork = FinderNetwork(),
        saying text: String = "by the station"
    ) async throws -> Bool {
        try await store.beginConversation(
            NewConversation(
                id: newID(), secret: SecretDigest(of: name), found: found, network: network, text: text, time: now))
    }

    func write(_ text: String, as name: String = "finder", from network: Int64 = 0) async throws {
        try await store.write(text, in: SecretDigest(of: name), from: network, at: now)
    }

    func conversation(_ name: String = "finder") async throws -> Conversation? {
        try await store.conversation(SecretDigest(of: name))
    }

    func conversations(of bike: BikeID, by owner: OwnerID) async throws -> [Conversation] {
        try await store.conversations(of: bike, by: owner, PageRequest(limit: 2000)).items
    }

    @discardableResult
    func answer(
        _ text: String, in id: ConversationID, of bike: BikeID, by owner: OwnerID, once: IdempotencyKey? = nil
    ) async throws -> Conversation {
        try await store.answer(text, in: id, of: bike, by: act(of: owner), once: once)
    }

    @discardableResult
    func end(
        _ id: ConversationID, of bike: BikeID, by owner: OwnerID, _ closure: ConversationClosure = ConversationClosure()
    ) async throws -> Conversation {
        try await store.closeConversation(id, of: bike, closure, by: act(of: owner))
    }

    @discardableResult
    func tellMessages() async throws -> Int {
        try await store.tellMessages(limit: 100, at: now, using: entropy)
    }

    /// An owner with a bike whose sticker has the code `code`.
    func stickered() async throws -> (owner: OwnerID, bike: Bike) {
        let owner = try await owner()
        let bike = try await bike(of: owner, Samples.identity(1))
        _ = try await store.setSticker(SecretDigest(of: "code"), on: bike.id, by: act(of: owner))
        return (owner, bike)
    }
}

extension FoundBike {
    static let code = FoundBike.sticker(SecretDigest(of: "code"))
    static let noCode = FoundBike.sticker(SecretDigest(of: "unknown"))
    static let identity = FoundBike.beacon(Samples.identity(1))
}

extension FinderNetwork {
    /// The network with this number, in an area of its own or in a given one.
    static func number(_ number: Int, area: Int? = nil) -> FinderNetwork {
        FinderNetwork(subscriber: Int64(number), area: Int64(area ?? number))
    }
}

extension StoreContract {
    static let conversations = [
        StoreContract("a finder and an owner write to each other, by the sticker and by the beacon") { store, stage in
            let (owner, bike) = try await stage.stickered()
            try await stage.begin("a", about: .code, saying: "one")
            stage.clock.advance(by: .seconds(60))
            try await stage.begin("b", about: .identity, from: .number(2))
            let listed = try await stage.conversations(of: bike.id, by: owner)
            #expect(listed.map(\.origin) == [.sticker, .beacon] && listed.allSatisfy(\.waiting))
            let id = try #require(listed.first?.id)
            try await stage.write("two", as: "a")
            let answered = try await stage.answer("three", in: id, of: bike.id, by: owner)
            #expect(answered.messages.map(\.text) == ["one", "two", "three"] && !answered.waiting)
            #expect(answered.messages.map(\.from) == [.finder, .finder, .owner])
            #expect(try await stage.conversation("a") == answered)
            #expect(try await store.conversation(id, of: bike.id, by: owner) == answered)
            let brief = try #require(try await stage.conversations(of: bike.id, by: owner).first)
            #expect(brief.id == id && brief.count == 3 && brief.messages == Array(answered.messages.suffix(1)))
            #expect(try await stage.conversation("c") == nil)
            await #expect(throws: DomainError.notFound("conversation")) { try await stage.write("x", as: "c") }
        },
        StoreContract("a conversation about no bike looks like one about a bike, and nobody is told") { store, stage in
            let (owner, bike) = try await stage.stickered()
            _ = try await stage.channel(of: owner)
            for (name, found) in [("known", FoundBike.code), ("unknown", .noCode)] {
                try await stage.begin(name, about: found)
                try await stage.begin(name, about: found)
                for text in ["two", "three", "three"] { try await stage.write(text, as: name) }
                await #expect(throws: DomainError.message(.awaitingAnswer)) { try await stage.write("four", as: name) }
                for other in ["x", "y"] { try await stage.begin(name + other, about: found) }
                await #expect(throws: DomainError.message(.tooManyConversations)) {
                    try await stage.begin(name + "z", about: found)
                }
            }
            var known = try #require(try await stage.conversation("known"))
            let unknown = try #require(try await stage.conversation("unknown"))
            known.id = unknown.id
            #expect(known == unknown && known.messages.map(\.text) == ["by the station", "two", "three"])
            #expect(try await stage.conversations(of: bike.id, by: owner).count == 3)
            #expect(try await stage.tellMessages() == 3)
            // What nobody has answered cannot be reported.
            for name in ["known", "unknown"] {
                try await store.endConversation(SecretDigest(of: name), isReported: true, at: stage.now)
                let ended = try #require(try await stage.conversation(name))
                #expect(ended.closedBy == .finder && ended.reported == nil)
                await #expect(throws: DomainError.message(.ended)) { try await stage.write("five", as: name) }
            }
        },
        StoreContract("each side writes at most three messages without an answer, and ten a day") { _, stage in
            let (owner, bike) = try await stage.stickered()
            try await stage.begin(about: .code)
            let id = try #require(try await stage.conversation()?.id)
            for number in 1...9 {
                try await stage.answer("\(number)", in: id, of: bike.id, by: owner)
                try await stage.write("\(number)")
            }
            try await stage.answer("10", in: id, of: bike.id, by: owner)
            await #expect(throws: DomainError.message(.tooManyToday(retryAfter: .days(1)))) {
                try await stage.write("11")
            }
            stage.clock.advance(by: .days(1))
            try await stage.write("11")
            for number in 12...14 { try await stage.answer("\(number)", in: id, of: bike.id, by: owner) }
            await #expect(throws: DomainError.message(.awaitingAnswer)) {
                try await stage.answer("15", in: id, of: bike.id, by: owner)
            }
        },
        StoreContract("only the owner and members with the role report read and answer; a repeated answer is one") {
            store, stage in
            let (owner, bike) = try await stage.stickered()
            try await stage.begin(about: .code)
            let id = try #require(try await stage.conversation()?.id)
            let (stranger, viewer) = (
                try await stage.owner(), try await stage.member(of: bike.id, of: owner, .see)
            )
            let member = try await stage.member(of: bike.id, of: owner, .report)
            for (caller, error) in [
                (stranger, DomainError.notFound("bike")), (viewer, .membership(.roleNeeded(.report))),
            ] {
                await #expect(throws: error) { _ = try await stage.conversations(of: bike.id, by: caller) }
                await #expect(throws: error) { _ = try await store.conversation(id, of: bike.id, by: caller) }
                await #expect(throws: error) { try await stage.answer("x", in: id, of: bike.id, by: caller) }
                await #expect(throws: error) { try await stage.end(id, of: bike.id, by: caller) }
            }
            for caller in [stranger, viewer, member] {
                await #expect(throws: DomainError.self) {
                    _ = try await store.setSticker(SecretDigest(of: "x"), on: bike.id, by: stage.act(of: caller))
                }
            }
            let once = stage.onceKey("k", of: member)
            for _ in 1...2 { try await stage.answer("hello", in: id, of: bike.id, by: member, once: once) }
            #expect(try await stage.conversation()?.messages.map(\.text) == ["by the station", "hello"])
            _ = try await store.suspendOwner(owner, reason: nil, by: stage.operatorAct)
            await #expect(throws: DomainError.ownerSuspended) {
                try await stage.answer("x", in: id, of: bike.id, by: owner)
            }
        },
        StoreContract("a blocked finder writes to nobody that day and does not notice; a report reaches the operator") {
            store, stage in
            let (owner, bike) = try await stage.stickered()
            try await stage.begin(about: .code)
            let id = try #require(try await stage.conversation()?.id)
            let ended = try await stage.end(
                id, of: bike.id, by: owner, ConversationClosure(blocked: true, report: "spam"))
            #expect(ended.blocked && ended.closedBy == .owner && ended.reported == stage.now)
            try await stage.begin("again", about: .code)
            #expect(try await stage.conversation("again")?.closed == nil)
            #expect(try await stage.conversations(of: bike.id, by: owner).map(\.id) == [id])
            // Others are not affected.
            try await stage.begin("other", about: .code, from: .number(5))
            #expect(try await stage.conversations(of: bike.id, by: owner).count == 2)
            let reported = try await store.reportedConversations(PageRequest(limit: 10)).items
            #expect(reported.map(\.conversation) == [ended] && reported.first?.owner == owner)
            #expect(reported.first?.reason == "spam" && reported.first?.reportedBy == .owner)
            try await store.settleConversation(id, by: stage.operatorAct)
            #expect(try await store.reportedConversations(PageRequest(limit: 10)).items.isEmpty)
            await #expect(throws: DomainError.notFound("conversation")) {
                try await store.settleConversation(id, by: stage.operatorAct)
            }
            let actions = try await store.export(of: owner, at: stage.now).activity.map(\.action)
            for action in ["sticker.changed", "conversation.ended", "conversation.reported", "conversation.settled"] {
                #expect(actions.contains(action), "\(action)")
            }
        },
        StoreContract("a finder reports an owner who has written") { store, stage in
            let (owner, bike) = try await stage.stickered()
            try await stage.begin(about: .code)
            let id = try #require(try await stage.conversation()?.id)
            try await stage.answer("a threat", in: id, of: bike.id, by: owner)
            try await store.endConversation(SecretDigest(of: "finder"), isReported: true, at: stage.now)
            let reported = try await store.reportedConversations(PageRequest(limit: 10)).items
            #expect(reported.map(\.reportedBy) == [.finder] && reported.first?.conversation.messages.count == 2)
        },
    ]
}
