import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// An owner's bike with a number, which buyers can check unless `allows` is nil.
    func numbered(
        _ serial: String, vin: String? = nil, _ identity: UInt16 = 1, of owner: OwnerID, allows: Bool? = true
    ) async throws -> Bike {
        var draft = Samples.bike
        (draft.serial, draft.vin, draft.buyerCheck) = (serial, vin, allows)
        return try await store.registerBike(
            NewBike(
                id: newID(), owner: owner, details: draft, identity: .given(Samples.identity(identity)), created: now),
            once: nil)
    }

    func isMissing(_ number: String = "WTU 123") async throws -> Bool {
        try await store.check(try BikeNumber(typed: number)) == .exact
    }

    func areMissing(_ numbers: String...) async throws -> [Bool] {
        var found: [Bool] = []
        for number in numbers { found.append(try await isMissing(number)) }
        return found
    }

    @discardableResult
    func leaveWord(
        _ name: String = "buyer", about number: String = "WTU 123", from network: FinderNetwork = FinderNetwork()
    ) async throws -> Int {
        let conversations = (1...NumberCheckRules.mostBikes).map {
            BuyerMessage.Conversation(id: newID(), secret: SecretDigest(of: "\(name) \($0)"))
        }
        return try await store.beginConversations(
            of: BuyerMessage(
                number: try BikeNumber(typed: number), conversations: conversations, network: network,
                text: "offered to me", time: now)
        ).count
    }

    /// Whether each of the bikes has a conversation.
    func reached(_ bikes: [Bike], of owners: [OwnerID]) async throws -> [Bool] {
        var reached: [Bool] = []
        for (bike, owner) in zip(bikes, owners) {
            reached.append(try await !conversations(of: bike.id, by: owner).isEmpty)
        }
        return reached
    }

    func allow(_ allows: Bool?, on bike: Bike, by owner: OwnerID, serial: String? = nil) async throws -> Bike {
        let current = try #require(try await store.bike(bike.id, of: owner))
        var changed = current
        changed.buyerCheck = allows
        if let serial { changed.serial = serial }
        return try await store.changeBike(current, to: changed, by: act(of: owner))
    }
}

extension StoreContract {
    static let checks = [
        StoreContract("a number is found exactly while stations search for its bike, and only if its owner allows it") {
            store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.numbered("wtu-123", vin: "VIN 4711", of: owner)
            #expect(bike.buyerCheck == true)
            #expect(try await store.bike(bike.id, of: owner) == bike)
            #expect(try await !stage.isMissing())
            let report = try await stage.openReport(on: bike.id, of: owner)
            #expect(try await stage.areMissing("WTU123", "vin.4711") == [true, true])
            for other in ["WTU 12", "WTU 1234", "WTU 124", "VTU 123"] {
                #expect(try await !stage.isMissing(other), "\(other)")
            }
            _ = try await store.suspendOwner(owner, reason: nil, by: stage.operatorAct)
            #expect(try await !stage.isMissing())
            _ = try await store.resumeOwner(owner, by: stage.operatorAct)
            #expect(try await stage.isMissing())
            _ = try await stage.allow(nil, on: bike, by: owner)
            #expect(try await stage.areMissing("WTU123", "VIN4711") == [false, false])
            _ = try await stage.allow(true, on: bike, by: owner, serial: "OTHER 9")
            #expect(try await stage.areMissing("WTU123", "OTHER9", "VIN4711") == [false, true, true])
            _ = try await stage.close(report, of: owner)
            #expect(try await !stage.isMissing("OTHER9"))
            // Without the owner's consent nothing is found, whatever the bike's number is.
            let silent = try await stage.numbered("SILENT 1", 2, of: owner, allows: nil)
            _ = try await stage.openReport(on: silent.id, of: owner)
            #expect(silent.buyerCheck == nil)
            #expect(try await !stage.isMissing("SILENT1"))
        },
        StoreContract("a misread number is found as similar, with the numbers that missing bikes have") {
            store, stage in
            func similar(_ number: String) async throws -> [String] {
                guard case .similar(let others) = try await store.check(try BikeNumber(typed: number)) else {
                    return []
                }
                return others.map(\.text)
            }
            let owner = try await stage.owner()
            let bike = try await stage.numbered("WTU 107", vin: "WB10A1103E6Z12345", of: owner)
            #expect(try await similar("WTU IO7").isEmpty, "it is not missing")
            let report = try await stage.openReport(on: bike.id, of: owner)
            for misread in ["WTU IO7", "wtu-1o7", "WTU I07"] {
                #expect(try await similar(misread) == ["WTU107"], "\(misread)")
            }
            for other in ["WTU 107", "WTU 1Q7", "WTU 117", "WTU T07"] {
                #expect(try await similar(other).isEmpty, "\(other)")
            }
            for misread in ["WBIOA1103E6Z12345", "WB1QA1103E6Z12345"] {
                #expect(try await similar(misread) == ["WB10A1103E6Z12345"], "\(misread)")
            }
            // A bike with exactly the number hides the similar ones; both are found with another reading.
            let other = try await stage.numbered("WTU IO7", 2, of: owner)
            _ = try await stage.openReport(on: other.id, of: owner)
            #expect(try await stage.areMissing("WTUIO7", "WTU107") == [true, true])
            #expect(try await similar("WTU I07") == ["WTU107", "WTUIO7"])
            // Nobody writes to the owner of a similar number.
            #expect(try await stage.leaveWord(about: "WTU I07") == 0)
            _ = try await stage.allow(nil, on: other, by: owner)
            #expect(try await similar("WTU I07") == ["WTU107"])
            _ = try await stage.allow(true, on: bike, by: owner, serial: "WTU O07")
            #expect(try await similar("WTU I07").isEmpty)
            #expect(try await similar("WTU 007") == ["WTUO07"])
            _ = try await stage.close(report, of: owner)
            #expect(try await similar("WTU 007").isEmpty)
        },
        StoreContract("a report that nobody has founded in time is not found") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.numbered("WTU123", of: owner)
            _ = try await stage.openReport(on: bike.id, of: owner, policeReference: nil)
            #expect(try await stage.isMissing())
            stage.clock.advance(by: .days(8))
            while try await store.suspendReports(limit: 10, at: stage.now, using: stage.entropy) > 0 {}
            #expect(try await !stage.isMissing())
        },
        StoreContract("a buyer writes to the owner, who sees that a number was checked; a repeated form is one") {
            _, stage in
            let owner = try await stage.owner()
            let bike = try await stage.numbered("WTU123", of: owner)
            #expect(try await stage.leaveWord() == 0)
            let report = try await stage.openReport(on: bike.id, of: owner)
            #expect(try await stage.leaveWord() == 1)
            #expect(try await stage.leaveWord() == 1)
            let listed = try await stage.conversations(of: bike.id, by: owner)
            #expect(listed.map(\.origin) == [.number] && listed.first?.messages.first?.text == "offered to me")
            #expect(try await stage.tellMessages() == 1)
            let id = try #require(listed.first?.id)
            try await stage.answer("where?", in: id, of: bike.id, by: owner)
            try await stage.write("at the market", as: "buyer 1")
            #expect(try await stage.conversation("buyer 1")?.messages.count == 3)
            for name in ["b", "c"] { #expect(try await stage.leaveWord(name) == 1) }
            await #expect(throws: DomainError.message(.tooManyConversations)) { try await stage.leaveWord("d") }
            #expect(try await stage.leaveWord("e", from: .number(2)) == 1)
            // A blocked buyer reaches nobody, and does not notice.
            _ = try await stage.end(id, of: bike.id, by: owner, ConversationClosure(blocked: true))
            stage.clock.advance(by: .seconds(3600))
            let before = try await stage.conversations(of: bike.id, by: owner).count
            #expect(try await stage.leaveWord("f", from: .number(3)) == 1)
            #expect(try await stage.conversations(of: bike.id, by: owner).count == before + 1)
            // What was begun goes on when the bike is back; nothing new begins.
            _ = try await stage.close(report, of: owner)
            #expect(try await stage.leaveWord("g", from: .number(4)) == 0)
            try await stage.write("still there", as: "e 1")
        },
        StoreContract("a buyer whose own bike has the number reports without an answer, once from each wider network") {
            store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.numbered("WTU123", of: owner)
            _ = try await stage.openReport(on: bike.id, of: owner)
            func report(_ name: String) async throws {
                try await store.endConversation(SecretDigest(of: "\(name) 1"), isReported: true, at: stage.now)
            }
            // The owner reports a buyer, which takes no place of those who are harmed.
            #expect(try await stage.leaveWord("0", from: .number(0)) == 1)
            let first = try #require(try await stage.conversations(of: bike.id, by: owner).first)
            _ = try await stage.end(first.id, of: bike.id, by: owner, ConversationClosure(blocked: true, report: "x"))
            for number in 1...NumberCheckRules.mostReported {
                #expect(try await stage.leaveWord("\(number)", from: .number(number)) == 1)
                try await report("\(number)")
                #expect(try await stage.conversation("\(number) 1")?.closedBy == .finder)
                // Once more has no effect, also where there is no room.
                try await report("\(number)")
            }
            // No more from a wider network that has a report, nor at all. The conversation goes on.
            #expect(try await stage.leaveWord("same", from: .number(100, area: 1)) == 1)
            #expect(try await stage.leaveWord("other", from: .number(101)) == 1)
            for name in ["same", "other"] {
                await #expect(throws: DomainError.message(.tooManyReports)) { try await report(name) }
                #expect(try await stage.conversation("\(name) 1")?.closed == nil)
            }
            let reported = try await store.reportedConversations(PageRequest(limit: 20)).items
            #expect(reported.count == 1 + NumberCheckRules.mostReported && reported.first?.owner == owner)
            let settled = try #require(reported.first { $0.reportedBy == .finder })
            try await store.settleConversation(settled.conversation.id, by: stage.operatorAct)
            try await report("other")
        },
        StoreContract(
            "of several bikes with one number three owners get the message: the first, then confirmed reports"
        ) {
            store, stage in
            var owners: [OwnerID] = []
            var bikes: [Bike] = []
            for number in 1...5 as ClosedRange<UInt16> {
                // The second bike belongs to the first owner, who still counts once.
                owners.append(number == 2 ? owners[0] : try await stage.owner())
                bikes.append(try await stage.numbered("WTU123", number, of: owners[Int(number) - 1]))
                let report = try await stage.openReport(on: bikes[Int(number) - 1].id, of: owners[Int(number) - 1])
                guard number == 5 else { continue }
                _ = try await store.confirmReference("CRIME-7", of: report.id, by: stage.operatorAct)
            }
            #expect(try await stage.leaveWord() == NumberCheckRules.mostBikes)
            #expect(try await stage.reached(bikes, of: owners) == [true, false, true, false, true])
        },
        StoreContract(
            "a reference confirmed for another number, and many accounts, do not keep a message from the owner"
        ) {
            store, stage in
            var thieves: [OwnerID] = []
            var stolen: [Bike] = []
            // Registered before the owner's bike with other numbers, which the operator's confirmation is for.
            for number in 1...4 as ClosedRange<UInt16> {
                thieves.append(try await stage.owner())
                let bike = try await stage.numbered("OTHER \(number)", number, of: thieves[Int(number) - 1])
                let report = try await stage.openReport(on: bike.id, of: thieves[Int(number) - 1])
                _ = try await store.confirmReference("CRIME-7", of: report.id, by: stage.operatorAct)
                stolen.append(bike)
            }
            stage.clock.advance(by: .seconds(1))
            let victim = try await stage.owner()
            var bike = try await stage.numbered("WTU123", 5, of: victim, allows: nil)
            stage.clock.advance(by: .seconds(1))
            for (bike, thief) in zip(stolen, thieves) {
                _ = try await stage.allow(true, on: bike, by: thief, serial: "WTU123")
            }
            for number in 6...17 as ClosedRange<UInt16> {
                let thief = thieves[Int(number) % 4]
                let bike = try await stage.numbered("WTU123", number, of: thief)
                _ = try await stage.openReport(on: bike.id, of: thief)
            }
            stage.clock.advance(by: .seconds(1))
            // The owner allows the check only after the theft, adds a number, mistypes one, and corrects it.
            _ = try await stage.allow(true, on: bike, by: victim)
            let report = try await stage.openReport(on: bike.id, of: victim)
            for serial in ["WTU 124", "wtu-123"] {
                bike = try await stage.allow(true, on: bike, by: victim, serial: serial)
            }
            var more = bike
            more.vin = "VIN 4711"
            bike = try await store.changeBike(bike, to: more, by: stage.act(of: victim))
            #expect(try await stage.leaveWord() == NumberCheckRules.mostBikes)
            #expect(try await stage.reached([bike], of: [victim]) == [true])
            // Confirmed references are for the numbers that the bike had then.
            _ = try await store.confirmReference("CRIME-7", of: report.id, by: stage.operatorAct)
            #expect(try await stage.leaveWord("later", from: .number(2)) == NumberCheckRules.mostBikes)
            #expect(try await stage.conversations(of: bike.id, by: victim).count == 2)
        },
        StoreContract("an owner who can get no more messages about a number does not keep them from another") {
            _, stage in
            let (thief, victim) = (try await stage.owner(), try await stage.owner())
            let stolen = try await stage.numbered("WTU123", 1, of: thief)
            _ = try await stage.openReport(on: stolen.id, of: thief)
            for name in ["a", "b", "c"] { #expect(try await stage.leaveWord(name) == 1) }
            let bike = try await stage.numbered("WTU123", 2, of: victim)
            _ = try await stage.openReport(on: bike.id, of: victim)
            for _ in 1...2 { #expect(try await stage.leaveWord("d") == 1) }
            #expect(try await stage.reached([bike], of: [victim]) == [true])
        },
        StoreContract("an owner lets buyers check ten new numbers a day, and one that stays does not count") {
            store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.numbered("WTU 0", of: owner, allows: nil)
            for number in 1...NumberCheckRules.perDay {
                _ = try await stage.allow(true, on: bike, by: owner, serial: "WTU \(1000 + number)")
            }
            let current = try #require(try await store.bike(bike.id, of: owner))
            var noted = current
            noted.notes = "no other number"
            noted.serial = current.serial.map { $0.lowercased() }
            _ = try await store.changeBike(current, to: noted, by: stage.act(of: owner))
            await #expect(throws: DomainError.tooManyToday(.numbers, retryAfter: DailyUse.window)) {
                _ = try await stage.allow(true, on: bike, by: owner, serial: "WTU 2000")
            }
            _ = try await stage.allow(nil, on: bike, by: owner)
            stage.clock.advance(by: DailyUse.window)
            #expect(try await stage.allow(true, on: bike, by: owner).buyerCheck == true)
        },
        StoreContract("the consent ends with a transfer and an erasure, is exported, and members with manage give it") {
            store, stage in
            let (giver, taker) = (try await stage.owner(), try await stage.owner(codes: ["erase"]))
            let bike = try await stage.numbered("WTU123", of: giver, allows: nil)
            let manager = try await stage.member(of: bike.id, of: giver, .manage)
            let reader = try await stage.member(of: bike.id, of: giver, .report)
            #expect(try await stage.allow(true, on: bike, by: manager).buyerCheck == true)
            await #expect(throws: DomainError.membership(.roleNeeded(.manage))) {
                _ = try await stage.allow(nil, on: bike, by: reader)
            }
            #expect(try await store.export(of: giver, at: stage.now).bikes.first?.bike.buyerCheck == true)
            let code = SecretDigest(of: "transfer")
            try await store.offerTransfer(
                of: bike.id, code: code, expires: stage.now.advanced(by: .seconds(60)), by: stage.act(of: giver))
            let taken = try await store.acceptTransfer(code: code, by: stage.act(of: taker), once: nil)
            #expect(taken.buyerCheck == nil && taken.serial == "WTU123")
            _ = try await stage.openReport(on: bike.id, of: taker)
            #expect(try await !stage.isMissing())
            _ = try await stage.allow(true, on: bike, by: taker)
            #expect(try await stage.isMissing())
            try await store.eraseOwner(
                try #require(try await store.owner(taker)), by: stage.act(of: taker, recoveryCode: "erase"))
            #expect(try await !stage.isMissing())
        },
    ]
}
