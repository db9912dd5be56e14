import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

extension StoreContract {
    static let conversationLives = [
        StoreContract("a conversation ends after 30 days of silence and is deleted 30 days later, whatever it is about")
        {
            store, stage in
            _ = try await stage.stickered()
            for (name, found) in [("known", FoundBike.code), ("unknown", .noCode)] {
                try await stage.begin(name, about: found)
            }
            stage.clock.advance(by: MessageRules.idle - .seconds(1))
            #expect(try await store.ageConversations(limit: 10, at: stage.now) == 0)
            stage.clock.advance(by: .seconds(1))
            #expect(try await store.ageConversations(limit: 10, at: stage.now) == 2)
            for name in ["known", "unknown"] {
                let ended = try #require(try await stage.conversation(name))
                #expect(ended.closed == stage.now && ended.closedBy == nil)
                #expect(ended.deleted == stage.now.advanced(by: MessageRules.kept))
            }
            stage.clock.advance(by: MessageRules.kept)
            #expect(try await store.ageConversations(limit: 10, at: stage.now) == 2)
            for name in ["known", "unknown"] { #expect(try await stage.conversation(name) == nil) }
        },
        StoreContract("a new code ends the previous one and is announced; conversations go on") { store, stage in
            let (owner, bike) = try await stage.stickered()
            _ = try await stage.channel(of: owner)
            #expect(try await stage.deliver().isEmpty)
            try await stage.begin("a", about: .code)
            _ = try await store.setSticker(SecretDigest(of: "new"), on: bike.id, by: stage.act(of: owner))
            #expect(try await stage.notices(to: owner).map(\.event) == [.stickerChanged])
            #expect(try await store.sticker(of: bike.id, by: owner).created == stage.now)
            try await stage.begin("b", about: .code, from: .number(2))
            try await stage.begin("c", about: .sticker(SecretDigest(of: "new")), from: .number(3))
            #expect(try await stage.conversations(of: bike.id, by: owner).count == 2)
            try await store.revokeSticker(of: bike.id, by: stage.act(of: owner))
            #expect(try await stage.notices(to: owner).map(\.event) == [.stickerChanged])
            for error in [DomainError.notFound("sticker")] {
                await #expect(throws: error) { _ = try await store.sticker(of: bike.id, by: owner) }
                await #expect(throws: error) { try await store.revokeSticker(of: bike.id, by: stage.act(of: owner)) }
            }
            try await stage.write("still here", as: "a")
        },
        StoreContract("sticker and conversations end with a transfer and an erasure, and are in the export") {
            store, stage in
            let (giver, bike) = try await stage.stickered()
            try await stage.begin("a", about: .code)
            let exported = try #require(try await store.export(of: giver, at: stage.now).bikes.first)
            #expect(exported.sticker?.created == stage.now)
            #expect(exported.conversations.first?.messages.map(\.text) == ["by the station"])
            let taker = try await stage.owner()
            try await store.offerTransfer(
                of: bike.id, code: SecretDigest(of: "transfer"), expires: stage.now.advanced(by: .seconds(60)),
                by: stage.act(of: giver))
            _ = try await store.acceptTransfer(
                code: SecretDigest(of: "transfer"), by: stage.act(of: taker), once: nil)
            #expect(try await stage.conversation("a") == nil)
            try await stage.begin("b", about: .code)
            #expect(try await stage.conversations(of: bike.id, by: taker).isEmpty)
            try await stage.begin("c", about: .identity)
            #expect(try await stage.conversations(of: bike.id, by: taker).count == 1)
            let taken = try #require(try await store.bike(bike.id, of: taker))
            try await store.eraseBike(taken, by: stage.act(of: taker))
            #expect(try await stage.conversation("c") == nil)
        },
        StoreContract("a bike whose beacon is not proved gets no messages by its beacon") { store, stage in
            let owner = try await stage.owner()
            let bike = try await store.registerBike(
                NewBike(
                    id: stage.newID(), owner: owner, details: Samples.bike,
                    identity: .claimed(Samples.identity(1), stage.entropy), created: stage.now), once: nil)
            try await stage.begin("a", about: .beacon(bike.identity))
            #expect(try await stage.conversations(of: bike.id, by: owner).isEmpty)
        },
        StoreContract("messages wake nobody unless the bike is missing, and then only the first from a sticker") {
            store, stage in
            let (owner, report, _) = try await stage.missingBike()
            let bike = report.bike
            _ = try await store.setSticker(SecretDigest(of: "code"), on: bike, by: stage.act(of: owner))
            try await stage.deliver()
            func urgency() async throws -> [Bool] {
                try await stage.tellMessages()
                return try await stage.deliver().filter { $0.content.notice?.event == .messageReceived }
                    .map(\.isUrgent)
            }
            try await stage.begin("a", about: .identity, from: .number(1))
            #expect(try await urgency() == [false])
            stage.clock.advance(by: MessageUrgency.window)
            try await stage.begin("b", about: .code, from: .number(2))
            #expect(try await urgency() == [true])
            try await stage.begin("c", about: .code, from: .number(3))
            #expect(try await urgency() == [false])
            let second = try #require(try await stage.conversation("b")?.id)
            try await stage.answer("where?", in: second, of: bike, by: owner)
            stage.clock.advance(by: .seconds(3600))
            try await stage.write("here", as: "b")
            #expect(try await urgency() == [true])
            _ = try await stage.close(report, of: owner)
            try await stage.deliver()
            stage.clock.advance(by: MessageUrgency.window)
            try await stage.begin("d", about: .code, from: .number(4))
            #expect(try await urgency() == [false])
        },
        StoreContract("the end of a conversation about a missing bike is announced, and so is a later block, once") {
            store, stage in
            let (owner, report, _) = try await stage.missingBike()
            try await stage.begin(about: .identity)
            let id = try #require(try await stage.conversation()?.id)
            try await stage.deliver()
            try await stage.end(id, of: report.bike, by: owner)
            #expect(try await stage.notices(to: owner).map(\.event) == [.conversationEnded])
            for _ in 1...2 {
                try await stage.end(id, of: report.bike, by: owner, ConversationClosure(blocked: true))
            }
            #expect(try await stage.notices(to: owner).map(\.event) == [.conversationEnded])
            let actions = try await store.export(of: owner, at: stage.now).activity.map(\.action)
            #expect(actions.count { $0 == AuditAction.finderBlocked.rawValue } == 1)
        },
        StoreContract("a flood from the finder's own wider network does not refuse or hide a true conversation") {
            _, stage in
            let (owner, bike) = try await stage.stickered()
            for number in 0..<MessageRules.mostWaiting {
                // Three from each address, and one wider network has more than any other.
                let network = FinderNetwork.number(number / 3, area: number < 60 ? 0 : number / 30)
                try await stage.begin("\(number)", about: .identity, from: network)
            }
            try await stage.begin("true", about: .identity, from: .number(-1, area: 0), saying: "truly")
            let listed = try await stage.conversations(of: bike.id, by: owner)
            #expect(listed.count == MessageRules.mostWaiting)
            let position = try #require(listed.firstIndex { $0.messages.first?.text == "truly" })
            // It counts directly after the first of each of 20 addresses in its wider network, not after all 60.
            #expect(position < MessageRules.mostWaiting * 7 / 10)
        },
        StoreContract("a flood of conversations from many networks neither wakes an owner nor hides a true one") {
            store, stage in
            let (owner, bike) = try await stage.stickered()
            var patch = OwnerPatch()
            try patch.set("zone", "Europe/Berlin")
            try await stage.change(owner, patch)
            _ = try await stage.channel(of: owner)
            // The stage begins at noon in UTC; now it is 1 in the morning in Berlin.
            stage.clock.advance(by: .seconds(12 * 3600))
            let flood = TestDepth.cases(2_000, of: 10_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<flood {
                    // Each has its own address, in one of 400 wider networks.
                    let network = FinderNetwork.number(number, area: number % 400)
                    // A store refuses what waits too long.
                    if number % 100 == 0 { try await group.waitForAll() }
                    if number == flood / 2 {
                        try await stage.begin("by beacon", about: .identity, from: .number(-1), saying: "truly")
                        try await stage.begin("by sticker", about: .code, from: .number(-2), saying: "truly")
                    }
                    group.addTask {
                        do {
                            try await stage.begin("\(number)", about: .identity, from: network)
                        } catch DomainError.message(.tooManyConversations) {
                            // Its wider network has the most: the flood thins itself out, and its senders learn it.
                        }
                    }
                }
                try await group.waitForAll()
            }
            while try await stage.tellMessages() == 100 {}
            #expect(try await stage.deliver().isEmpty)
            let listed = try await stage.conversations(of: bike.id, by: owner)
            #expect(listed.count == MessageRules.mostWaiting + 1)
            #expect(listed.first?.messages.map(\.text) == ["truly"] && listed.first?.origin == .sticker)
            let position = try #require(listed.firstIndex { $0.origin == .beacon && $0.messages.last?.text == "truly" })
            #expect(position <= 401)
            // In the morning the owner gets a few notices, and then at most one an hour.
            stage.clock.advance(by: .seconds(8 * 3600))
            _ = try await store.tellHeldNotices(limit: 100, at: stage.now, using: stage.entropy)
            let morning = try await stage.notices(to: owner)
            #expect((1...4).contains(morning.count) && morning.allSatisfy { $0.event == .messageReceived })
        },
    ]
}
