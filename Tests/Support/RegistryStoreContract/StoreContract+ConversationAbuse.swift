import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Begins conversations about a bike, each from a wider network of its own.
    fileprivate func flood(_ name: String, _ networks: Range<Int>, about found: FoundBike) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in networks {
                // A store refuses what waits too long.
                if number % 100 == 0 { try await group.waitForAll() }
                group.addTask { try await begin("\(name) \(number)", about: found, from: .number(number)) }
            }
            try await group.waitForAll()
        }
    }

    fileprivate func urgency() async throws -> [Bool] {
        try await tellMessages()
        return try await deliver().filter { $0.content.notice?.event == .messageReceived }.map(\.isUrgent)
    }
}

extension StoreContract {
    static let conversationAbuse = [
        StoreContract("messages by the beacon, earlier ones and answered finders leave the night's alarm to a sticker")
        {
            _, stage in
            let (owner, bike) = try await stage.stickered()
            var patch = OwnerPatch()
            try patch.set("zone", "Europe/Berlin")
            try await stage.change(owner, patch)
            _ = try await stage.channel(of: owner)
            try await stage.begin("early", about: .code, from: .number(1))
            try await stage.tellMessages()
            _ = try await stage.openReport(on: bike.id, of: owner)
            // By day, in Berlin at 13 o'clock.
            try await stage.begin("by day", about: .code, from: .number(2))
            #expect(try await stage.urgency().contains(true))
            // At 1 in the night.
            stage.clock.advance(by: .seconds(12 * 3600))
            for number in 3...9 { try await stage.begin("beacon \(number)", about: .identity, from: .number(number)) }
            let id = try #require(try await stage.conversation("by day")?.id)
            try await stage.answer("where?", in: id, of: bike.id, by: owner)
            try await stage.write("here", as: "by day")
            #expect(try await stage.urgency() == [true])
            try await stage.begin("truly", about: .code, from: .number(20))
            #expect(try await stage.urgency() == [true])
            try await stage.begin("second", about: .code, from: .number(21))
            #expect(try await stage.urgency().isEmpty)
        },
        StoreContract("a block ends the network's other conversations, and lasts for the day, however old they are") {
            store, stage in
            let (owner, bike) = try await stage.stickered()
            try await stage.begin("old", about: .code, from: .number(1))
            try await stage.begin("older", about: .identity, from: .number(2))
            try await stage.begin("else", about: .code, from: .number(3))
            stage.clock.advance(by: .days(3))
            // The same network has another number today.
            try await stage.write("again", as: "old", from: 11)
            try await stage.begin("new", about: .identity, from: .number(11))
            let id = try #require(try await stage.conversation("old")?.id)
            try await stage.end(id, of: bike.id, by: owner, ConversationClosure(blocked: true))
            #expect(try await stage.conversation("new")?.closedBy == .owner)
            #expect(try await stage.conversation("else")?.closed == nil)
            stage.clock.advance(by: .seconds(3600))
            try await stage.begin("later", about: .code, from: .number(11))
            #expect(try await stage.conversations(of: bike.id, by: owner).count == 4)
            // An open conversation in which nobody from this network had written today.
            try await stage.write("me again", as: "older", from: 11)
            let older = try #require(try await stage.conversation("older"))
            #expect(older.closedBy == .owner && older.messages.count == 1)
            try await stage.write("still here", as: "else", from: 3)
            stage.clock.advance(by: .days(1))
            #expect(try await store.ageConversations(limit: 10, at: stage.now) == 0)
            try await stage.begin("next day", about: .code, from: .number(11))
            #expect(try await stage.conversations(of: bike.id, by: owner).count == 5)
        },
        StoreContract("an ended conversation can be reported by both sides, and neither learns of the other's report") {
            store, stage in
            let (owner, bike) = try await stage.stickered()
            try await stage.begin(about: .code)
            let id = try #require(try await stage.conversation()?.id)
            try await stage.answer("a threat", in: id, of: bike.id, by: owner)
            try await stage.end(id, of: bike.id, by: owner)
            for _ in 1...2 {
                try await store.endConversation(SecretDigest(of: "finder"), isReported: true, at: stage.now)
            }
            #expect(try await stage.conversation()?.reported == stage.now)
            #expect(try await store.conversation(id, of: bike.id, by: owner).reported == nil)
            #expect(try await store.export(of: owner, at: stage.now).bikes.first?.conversations.first?.reported == nil)
            let actions = { try await store.export(of: owner, at: stage.now).activity.map(\.action) }
            #expect(try await !actions().contains("conversation.reported"))
            let all = try await store.auditEntries(AuditFilter(), PageRequest(limit: 1000)).items
            #expect(all.count { $0.event?.action == "conversation.reported" } == 1)
            try await store.settleConversation(id, by: stage.operatorAct)
            #expect(try await !actions().contains("conversation.settled"))
            let closure = ConversationClosure(blocked: true, report: "he threatens")
            let closed = try await stage.end(id, of: bike.id, by: owner, closure)
            #expect(closed.blocked && closed.reported == stage.now)
            let reported = try await store.reportedConversations(PageRequest(limit: 10)).items
            #expect(reported.map(\.reportedBy) == [.owner] && reported.first?.reason == "he threatens")
        },
        StoreContract(
            "a reported conversation stays for the operator when bike, account or owner go, until it is settled"
        ) {
            store, stage in
            for (number, way) in ["erase the bike", "erase the account", "hand over"].enumerated() {
                let name = "\(way) finder"
                let owner = try await stage.owner()
                let bike = try await stage.bike(of: owner, Samples.identity(UInt16(number + 1)))
                let code = SecretDigest(of: way)
                _ = try await store.setSticker(code, on: bike.id, by: stage.act(of: owner))
                try await stage.begin(name, about: .sticker(code))
                try await stage.begin(name + " unreported", about: .sticker(code))
                let id = try #require(try await stage.conversation(name)?.id)
                try await stage.answer("a threat", in: id, of: bike.id, by: owner)
                try await store.endConversation(SecretDigest(of: name), isReported: true, at: stage.now)
                switch way {
                case "erase the bike": try await store.eraseBike(bike, by: stage.act(of: owner))
                case "erase the account":
                    try await store.eraseOwner(
                        try #require(try await store.owner(owner)), by: stage.act(of: owner))
                default:
                    let transfer = SecretDigest(of: "transfer")
                    try await store.offerTransfer(
                        of: bike.id, code: transfer, expires: stage.now.advanced(by: .seconds(60)),
                        by: stage.act(of: owner))
                    _ = try await store.acceptTransfer(
                        code: transfer, by: stage.act(of: try await stage.owner()), once: nil)
                }
                #expect(try await stage.conversation(name + " unreported") == nil, "\(way)")
                let kept = try await store.reportedConversations(PageRequest(limit: 10)).items
                #expect(kept.map(\.conversation.id) == [id] && kept.first?.owner == owner, "\(way)")
                #expect(kept.first?.conversation.messages.map(\.text) == ["by the station", "a threat"])
                try await store.settleConversation(id, by: stage.operatorAct)
                #expect(try await stage.conversation(name) == nil, "\(way)")
            }
        },
        StoreContract("the operator's list holds 20 reports by each side of an account") { store, stage in
            let (owner, bike) = try await stage.stickered()
            for number in 0...MessageRules.mostReports {
                try await stage.begin("\(number)", about: .code, from: .number(number))
                let id = try #require(try await stage.conversation("\(number)")?.id)
                let report = {
                    _ = try await stage.end(id, of: bike.id, by: owner, ConversationClosure(report: "x"))
                }
                if number < MessageRules.mostReports {
                    try await report()
                } else {
                    await #expect(throws: DomainError.message(.tooManyReports)) { try await report() }
                    #expect(try await stage.conversation("\(number)")?.closed == nil)
                    // Finders' reports about this owner are counted apart.
                    try await stage.answer("a threat", in: id, of: bike.id, by: owner)
                    try await store.endConversation(SecretDigest(of: "\(number)"), isReported: true, at: stage.now)
                }
            }
            let listed = try await store.reportedConversations(PageRequest(limit: 100)).items
            #expect(listed.count == MessageRules.mostReports + 1)
        },
        StoreContract("the same form with another text or another bike is not taken for the same") { _, stage in
            _ = try await stage.stickered()
            #expect(try await stage.begin(about: .code))
            #expect(try await stage.begin(about: .code))
            #expect(try await !stage.begin(about: .code, saying: "elsewhere"))
            #expect(try await !stage.begin(about: .noCode))
            #expect(try await stage.conversation()?.messages.map(\.text) == ["by the station"])
        },
        StoreContract("codes for stickers are limited by day") { store, stage in
            let owner = try await stage.owner()
            try await stage.allow(owner, QuotaExceptions(bikes: 2))
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let make = { (number: Int) in
                _ = try await store.setSticker(SecretDigest(of: "\(number)"), on: bike.id, by: stage.act(of: owner))
            }
            for number in 1...12 { try await make(number) }
            await #expect(throws: DomainError.tooManyToday(.codes, retryAfter: DailyUse.window)) { try await make(13) }
            stage.clock.advance(by: DailyUse.window)
            try await make(13)
        },
        StoreContract("the number of waiting messages is in the list of bikes, for whoever may read them") {
            store, stage in
            let (owner, bike) = try await stage.stickered()
            let viewer = try await stage.member(of: bike.id, of: owner, .see)
            let member = try await stage.member(of: bike.id, of: owner, .report)
            let waiting = { (caller: OwnerID) in
                try await store.bikes(of: caller, PageRequest(limit: 10)).items.first?.waitingMessages
            }
            #expect(try await waiting(owner) == nil)
            for number in 1...3 { try await stage.begin("\(number)", about: .code, from: .number(number)) }
            #expect(try await waiting(owner) == 3)
            #expect(try await waiting(viewer) == nil)
            let ids = try await stage.conversations(of: bike.id, by: owner).map(\.id)
            try await stage.answer("thanks", in: ids[0], of: bike.id, by: owner)
            try await stage.end(ids[1], of: bike.id, by: owner)
            #expect(try await waiting(member) == 1)
        },
        StoreContract("an account has at most 3,000 conversations; ended ones go first, and a new one always stays") {
            store, stage in
            let (owner, bike) = try await stage.stickered()
            try await stage.begin("ended", about: .code, from: .number(-1))
            let ended = try #require(try await stage.conversation("ended")?.id)
            try await stage.end(ended, of: bike.id, by: owner)
            var codes = [SecretDigest(of: "code")]
            for number in 1...3 {
                let another = try await stage.bike(of: owner, Samples.identity(UInt16(number + 1)))
                codes.append(SecretDigest(of: "code \(number)"))
                _ = try await store.setSticker(codes[number], on: another.id, by: stage.act(of: owner))
            }
            for (number, code) in codes.enumerated() {
                try await stage.flood("\(number)", number * 1000..<number * 1000 + 749, about: .sticker(code))
            }
            try await stage.flood("more", 4000..<4003, about: .identity)
            #expect(try await stage.conversation("ended")?.closed != nil)
            try await stage.begin("one too many", about: .identity, from: .number(5000))
            #expect(try await stage.conversation("ended") == nil)
            // Now those by the beacon go before those by a sticker.
            try await stage.begin("another", about: .code, from: .number(5001))
            #expect(try await stage.conversation("another") != nil)
            #expect(try await stage.conversation("one too many") == nil)
            #expect(try await stage.conversation("0 0") != nil)
        },
    ]
}
