import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Stores a request whose secret is its name.
    @discardableResult
    fileprivate func ask(
        _ name: String, about beacon: BeaconIdentity? = nil, from network: FinderNetwork = FinderNetwork(),
        saying text: String = "in my coat"
    ) async throws -> Bool {
        try await store.addSafetyRequest(
            NewSafetyRequest(
                id: newID(), secret: SecretDigest(of: name), beacon: beacon, text: text, network: network, time: now))
    }

    fileprivate func requests() async throws -> [SafetyRequest] {
        try await store.safetyRequests(PageRequest(limit: 2000)).items
    }
}

extension StoreContract {
    /// Requests of people who feel followed.
    static let safety = [
        StoreContract("a beacon is of this registry whether or not its bike is missing, erased or stopped") {
            store, stage in
            _ = try await stage.missingBike()
            let beacon = Samples.identity(1)
            #expect(try await store.isIssued(beacon))
            #expect(try await !store.isIssued(Samples.identity(77)))
            _ = try await store.stopSearch(for: beacon, reason: "planted", by: stage.operatorAct)
            #expect(try await store.isIssued(beacon))
        },
        StoreContract("a request is read with the beacon's owner, and its writer learns nothing of that") {
            store, stage in
            let (owner, _, _) = try await stage.missingBike()
            try await stage.ask("a", about: Samples.identity(1), from: .number(1))
            stage.clock.advance(by: .seconds(60))
            try await stage.ask("b", about: Samples.identity(77), from: .number(2))
            stage.clock.advance(by: .seconds(60))
            try await stage.ask("c", from: .number(3))
            let listed = try await stage.requests()
            #expect(listed.map(\.owner) == [owner, nil, nil] && listed.map(\.stopped) == [nil, nil, nil])
            #expect(listed.map(\.beacon) == [Samples.identity(1), Samples.identity(77), nil])
            _ = try await store.stopSearch(for: Samples.identity(1), reason: "planted", by: stage.operatorAct)
            #expect(try await stage.requests().first?.stopped == stage.now)
            for (name, beacon) in [("a", Samples.identity(1)), ("b", Samples.identity(77))] {
                let seen = try #require(try await store.safetyRequest(SecretDigest(of: name)))
                #expect(seen.owner == nil && seen.stopped == nil && seen.beacon == beacon && seen.text == "in my coat")
            }
            #expect(try await store.safetyRequest(SecretDigest(of: "d")) == nil)
        },
        StoreContract("what a rotating beacon sends is known to nobody, and leads the operator to its owner") {
            store, _ in
            let stage = try RotationStage(store)
            let (owner, _, key, _, _) = try await stage.missingBike()
            let sent = key.identity(at: try #require(RotatingSlot(stage.slot)))
            // Only what missing bikes' beacons send is stored, so the look-up must not find it.
            #expect(try await !store.isIssued(sent))
            try await stage.stage.ask("a", about: sent)
            #expect(try await stage.stage.requests().first?.owner == owner)
        },
        StoreContract("a form that is sent twice is one request, and one that was changed needs another secret") {
            store, stage in
            let results = [try await stage.ask("a"), try await stage.ask("a")]
            #expect(results == [true, true])
            #expect(try await !stage.ask("a", saying: "in my car"))
            #expect(try await !stage.ask("a", about: Samples.identity(1)))
            #expect(try await stage.requests().count == 1)
        },
        StoreContract("a closed request keeps its first answer, leaves the list, and is in the audit without its text")
        {
            store, stage in
            try await stage.ask("a")
            let id = try #require(try await stage.requests().first?.id)
            let closed = try await store.closeSafetyRequest(id, answer: "Stopped.", by: stage.operatorAct)
            #expect(closed.closed == stage.now && closed.answer == "Stopped.")
            #expect(try await store.closeSafetyRequest(id, answer: "Other.", by: stage.operatorAct) == closed)
            #expect(try await store.safetyRequest(SecretDigest(of: "a"))?.answer == "Stopped.")
            #expect(try await stage.requests().isEmpty)
            #expect(try await stage.actions().filter { $0 == "safety.closed" }.count == 1)
            await #expect(throws: DomainError.notFound("request")) {
                _ = try await store.closeSafetyRequest(stage.newID(), answer: nil, by: stage.operatorAct)
            }
        },
        StoreContract("one network sends three requests a day, and a flood displaces only its own") { store, stage in
            for name in ["a", "b", "c"] { try await stage.ask(name, from: .number(1)) }
            await #expect(throws: DomainError.message(.tooManyConversations)) {
                try await stage.ask("d", from: .number(1))
            }
            try await stage.ask("true", from: .number(2))
            // One wider network with many subscribers, each with the two that its allowance leaves.
            for number in 0..<500 {
                for part in ["x", "y"] {
                    do {
                        try await stage.ask("\(number)\(part)", from: .number(100 + number, area: 9))
                    } catch DomainError.message(.tooManyConversations) {}
                }
            }
            let open = try await stage.requests()
            #expect(open.count == SafetyRules.mostOpen)
            for name in ["a", "b", "c", "true"] {
                #expect(try await store.safetyRequest(SecretDigest(of: name)) != nil)
            }
            stage.clock.advance(by: .seconds(86_401))
            try await stage.ask("e", from: .number(1))
            #expect(try await stage.requests().count == SafetyRules.mostOpen)
        },
        StoreContract("open requests are deleted after 90 days, and closed ones after 30") { store, stage in
            try await stage.ask("open", from: .number(1))
            try await stage.ask("closed", from: .number(2))
            let id = try #require(try await stage.requests().last?.id)
            _ = try await store.closeSafetyRequest(id, answer: nil, by: stage.operatorAct)
            let closed = try #require(
                try await store.safetyRequest(SecretDigest(of: "open")).map { $0.closed == nil ? "closed" : "open" })
            stage.clock.advance(by: SafetyRules.kept)
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await store.safetyRequest(SecretDigest(of: closed)) == nil)
            #expect(try await stage.requests().count == 1)
            stage.clock.advance(by: .days(60))
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await stage.requests().isEmpty)
        },
        StoreContract("an owner reads why a search was stopped, objects once, and gets the operator's answer") {
            store, stage in
            let (owner, report, _) = try await stage.missingBike()
            let bike = report.bike
            let beacon = Samples.identity(1)
            await #expect(throws: DomainError.notFound("stop")) { _ = try await store.searchStop(of: bike, by: owner) }
            _ = try await store.stopSearch(for: beacon, reason: "planted", by: stage.operatorAct)
            #expect(
                try await store.searchStop(of: bike, by: owner) == SearchStop(stopped: stage.now, reason: "planted"))
            #expect(try await store.objections(PageRequest(limit: 9)).items.isEmpty)
            let objected = try await store.object("It is mine.", of: bike, by: stage.act(of: owner))
            #expect(objected.objection == "It is mine." && objected.objected == stage.now)
            #expect(try await store.object("Again.", of: bike, by: stage.act(of: owner)) == objected)
            let listed = try await store.objections(PageRequest(limit: 9)).items
            #expect(listed == [StopReview(bike: bike, owner: owner, beacon: beacon, stop: objected)])
            try await stage.deliver()
            let answered = try await store.answerObjection("No.", of: bike, by: stage.operatorAct)
            #expect(answered.stop.answer == "No." && answered.stop.answered == stage.now)
            #expect(try await store.answerObjection("Yes.", of: bike, by: stage.operatorAct) == answered)
            let told = try await stage.deliver().compactMap(\.content.notice)
            #expect(told.map(\.event) == [.objectionAnswered] && told.first?.subject == "No.")
            #expect(try await store.objections(PageRequest(limit: 9)).items.isEmpty)
            let actions = try await stage.actions()
            #expect(actions.filter { $0 == "search.objected" || $0 == "objection.answered" }.count == 2)
            // Allowing the search ends the stop; a later stop has objections of its own.
            _ = try await store.allowSearch(for: beacon, by: stage.operatorAct)
            await #expect(throws: DomainError.notFound("stop")) { _ = try await store.searchStop(of: bike, by: owner) }
            _ = try await store.stopSearch(for: beacon, reason: "again", by: stage.operatorAct)
            #expect(
                try await store.searchStop(of: bike, by: owner) == SearchStop(stopped: stage.now, reason: "again"))
        },
        StoreContract("nobody but the bike's owner reads a stop or objects, and it ends with the bike") {
            store, stage in
            let (owner, report, _) = try await stage.missingBike()
            _ = try await store.stopSearch(for: Samples.identity(1), reason: "planted", by: stage.operatorAct)
            let stranger = try await stage.owner()
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.searchStop(of: report.bike, by: stranger)
            }
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.object("x", of: report.bike, by: stage.act(of: stranger))
            }
            _ = try await store.object("x", of: report.bike, by: stage.act(of: owner))
            await #expect(throws: DomainError.notFound("objection")) {
                _ = try await store.answerObjection("x", of: stage.newID(), by: stage.operatorAct)
            }
        },
        StoreContract("a stop follows its beacon; the next owner does not read it, and can object anew") {
            store, stage in
            let (owner, buyer) = (try await stage.owner(), try await stage.owner())
            let first = try await stage.bike(of: owner, Samples.identity(1))
            let second = try await stage.bike(of: owner, Samples.identity(2))
            _ = try await store.stopSearch(for: Samples.identity(1), reason: "planted", by: stage.operatorAct)
            _ = try await store.object("mine", of: first.id, by: stage.act(of: owner))
            _ = try await store.exchangeBeacons(of: first, with: second.id, by: stage.act(of: owner))
            await #expect(throws: DomainError.notFound("stop")) {
                _ = try await store.searchStop(of: first.id, by: owner)
            }
            #expect(try await store.searchStop(of: second.id, by: owner).objection == "mine")
            #expect(try await store.objections(PageRequest(limit: 9)).items.map(\.bike) == [second.id])
            let code = SecretDigest(of: "code")
            try await store.offerTransfer(
                of: second.id, code: code, expires: stage.now.advanced(by: .seconds(60)), by: stage.act(of: owner))
            let bought = try await store.acceptTransfer(code: code, by: stage.act(of: buyer), once: nil)
            #expect(try await store.searchStop(of: bought.id, by: buyer) == SearchStop(stopped: stage.now))
            #expect(try await store.objections(PageRequest(limit: 9)).items.isEmpty)
            let counts = try await store.overviewNumbers(at: stage.now, silentBefore: stage.now).reviews.objections
            #expect(counts.count == 0)
            let objected = try await store.object("I bought it.", of: bought.id, by: stage.act(of: buyer))
            #expect(objected.objection == "I bought it." && objected.reason == nil)
            #expect(try await store.objections(PageRequest(limit: 9)).items.map(\.owner) == [buyer])
        },
        StoreContract("a stop has two objections, whoever owns its beacon, and however often that changes") {
            store, stage in
            let owners = [try await stage.owner(), try await stage.owner(), try await stage.owner()]
            let beacon = Samples.identity(1)
            let first = try await stage.bike(of: owners[0], beacon).id
            func handOver(_ bike: BikeID, from giver: OwnerID, to taker: OwnerID) async throws -> BikeID {
                let code = SecretDigest(of: "code")
                try await store.offerTransfer(
                    of: bike, code: code, expires: stage.now.advanced(by: .seconds(60)), by: stage.act(of: giver))
                return try await store.acceptTransfer(code: code, by: stage.act(of: taker), once: nil).id
            }
            _ = try await store.stopSearch(for: beacon, reason: "planted", by: stage.operatorAct)
            let stopped = stage.now
            _ = try await store.object("one", of: first, by: stage.act(of: owners[0]))
            _ = try await store.answerObjection("no", of: first, by: stage.operatorAct)
            let second = try await handOver(first, from: owners[0], to: owners[1])
            // Neither does an erased account give back its objection.
            let account = try #require(try await store.owner(owners[0]))
            try await store.eraseOwner(account, by: stage.act(of: owners[0]))
            let objected = try await store.object("two", of: second, by: stage.act(of: owners[1]))
            #expect(objected.objection == "two" && objected.exhausted == true)
            #expect(try await store.object("again", of: second, by: stage.act(of: owners[1])) == objected)
            let third = try await handOver(second, from: owners[1], to: owners[2])
            for _ in 1...2 {
                #expect(
                    try await store.searchStop(of: third, by: owners[2])
                        == SearchStop(stopped: stopped, exhausted: true)
                )
                let act = stage.act(of: owners[2])
                await #expect(throws: DomainError.objectionsUsedUp) {
                    _ = try await store.object("three", of: third, by: act)
                }
                // Stopping what is stopped is no other stop.
                _ = try await store.stopSearch(for: beacon, reason: "again", by: stage.operatorAct)
            }
            #expect(try await store.objections(PageRequest(limit: 9)).items.isEmpty)
            // A later stop has objections of its own.
            _ = try await store.allowSearch(for: beacon, by: stage.operatorAct)
            _ = try await store.stopSearch(for: beacon, reason: "again", by: stage.operatorAct)
            #expect(try await store.object("one", of: third, by: stage.act(of: owners[2])).exhausted == nil)
        },
        StoreContract("messages about a beacon of this registry have an allowance and a limit of their own") {
            store, stage in
            let owner = try await stage.owner()
            let beacon = try await stage.bike(of: owner, Samples.identity(1)).identity
            for number in 0..<SafetyRules.mostOpen {
                try await stage.ask("\(number)", from: .number(100 + number, area: number))
            }
            await #expect(throws: DomainError.message(.tooManyConversations)) {
                try await stage.ask("new", from: .number(1, area: 5000))
            }
            for name in ["a", "b", "c"] { try await stage.ask(name, about: beacon, from: .number(100, area: 0)) }
            await #expect(throws: DomainError.message(.tooManyConversations)) {
                try await stage.ask("d", about: beacon, from: .number(100, area: 0))
            }
            #expect(try await stage.requests().filter { $0.beacon == beacon }.count == 3)
        },
    ]
}
