import Beacons
import Evidence
import FoundationEssentials
import HTTPTypes
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Operations
@testable import RegistryHTTP

@Suite("Partner registries")
struct PartnerTests {
    @Test("a bike stolen in one city is heard in another, and its own registry tells the owner")
    func wholeStory() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        try await pair.readList()
        let station = try await pair.guest.newStation()
        let visit = Samples.visit(from: pair.guest.clock.now)
        // The exchange runs: the station's answer waits for the partner.
        let running = Task { try await pair.guestExchange.run() }
        defer { running.cancel() }
        let answer = try await pair.guest.report([visit], as: station.token)
        #expect(answer.first?.result == .stored && answer.first?.lookFor?.make == "Brompton")
        let sighting = try #require(try await pair.home.sightings(of: report, by: owner).first)
        #expect(sighting.station.name == "Café (via Guest)" && sighting.id == visit.id)
        // The guest has forgotten the visit, and nothing is sent again.
        let sent = try await pair.homeAtGuest().sent
        #expect(sent == Partner.Sent(waiting: 0, stored: 1))
        _ = try await pair.home.store.verifyAudit(nil, against: [])
    }

    @Test("a registry that has all its partners says so before it asks the other one")
    func full() async throws {
        let pair = try await Pair()
        let third = try Harness(
            keyring: pair.homeKeyring, publicURL: "https://third.example", network: pair.network)
        pair.network.join(["https://third.example": third])
        let invitation = try await third.operations.invitePartner(
            PartnerInvitationDraft(name: "Guest"), by: Pair.anOperator)
        for number in 1..<PartnerRules.mostPartners {
            _ = try await pair.guest.operations.invitePartner(
                PartnerInvitationDraft(name: "\(number)"), by: Pair.anOperator)
        }
        await #expect(throws: DomainError.partnersFull) {
            _ = try await pair.guest.operations.acceptPartner(
                PartnerAcceptance(url: "https://third.example", code: invitation.code, name: "Third"),
                by: Pair.anOperator)
        }
        #expect(try await third.store.activePartners().isEmpty)
    }

    @Test("a visit waits while the home registry is away; the station learns of it with its next update")
    func outage() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        try await pair.readList()
        let station = try await pair.guest.newStation()
        let visit = Samples.visit(from: pair.guest.clock.now)
        pair.network.isDown.withLock { $0 = true }
        #expect(try await pair.send() == .nothing)
        try pair.guestExchange.note([], of: 1, isSlow: true)
        #expect(try await pair.guest.report([visit], as: station.token).map(\.result) == [.ignored])
        #expect(try await pair.send() == .failed)
        #expect(try await pair.home.sightings(of: report, by: owner).isEmpty)
        pair.network.isDown.withLock { $0 = false }
        pair.guest.clock.advance(by: .seconds(2))
        #expect(try await pair.send() == .sent)
        #expect(try await pair.home.sightings(of: report, by: owner).count == 1)
        // The answer was too late for the first report.
        try pair.guestExchange.note([], of: 1, isSlow: true)
        let answer = try await pair.guest.report([visit], as: station.token)
        #expect(answer.map(\.result) == [.stored] && answer[0].lookFor?.model == "C Line")
        // An answer that is lost is no second sighting.
        pair.network.losesAnswers.withLock { $0 = true }
        #expect(try await pair.send() == .failed)
        pair.network.losesAnswers.withLock { $0 = false }
        pair.guest.clock.advance(by: .seconds(2))
        #expect(try await pair.send() == .sent)
        #expect(try await pair.home.sightings(of: report, by: owner).count == 1)
    }

    @Test("after a restart, the first visit is forwarded: the lists are known before a station is answered")
    func restart() async throws {
        let pair = try await Pair()
        _ = try await pair.missingBike()
        try await pair.readList()
        let restarted = PartnerExchange(
            store: pair.guest.store, network: pair.network, keyring: pair.guestKeyring,
            clock: pair.guest.clock.wallClock, logger: .silent)
        try await restarted.prepare()
        let visit = Samples.visit(from: pair.guest.clock.now)
        #expect(restarted.ticket(for: [visit], of: StationID(high: 1, low: 1))?.forwards.map(\.visit) == [visit])
    }

    @Test("a visit that is in the future for the partner’s clock arrives later")
    func wrongClock() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        try await pair.readList()
        let station = try await pair.guest.newStation()
        try pair.guestExchange.note([], of: 1, isSlow: true)
        pair.guest.clock.advance(by: .seconds(2 * 3600))
        _ = try await pair.guest.report([Samples.visit(from: pair.guest.clock.now)], as: station.token)
        #expect(try await pair.send() == .sent)
        #expect(try await pair.homeAtGuest().sent.waiting == 1)
        #expect(try await pair.home.sightings(of: report, by: owner).isEmpty)
        pair.home.clock.advance(by: .seconds(3 * 3600))
        pair.guest.clock.advance(by: .seconds(3600))
        #expect(try await pair.send() == .sent)
        #expect(try await pair.homeAtGuest().sent == Partner.Sent(waiting: 0, stored: 1))
        #expect(try await pair.home.sightings(of: report, by: owner).count == 1)
    }

    @Test("a batch that is larger than the partner’s limit arrives in parts")
    func smallLimit() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        try await pair.readList()
        let partner = try #require(try await pair.home.store.activePartners().first)
        _ = try await pair.home.operations.changePartner(
            partner.id, PartnerPatch(limits: PartnerLimits(listed: 10, visits: 2)), quarantineSince: nil,
            by: Pair.anOperator)
        let station = try await pair.guest.newStation()
        try pair.guestExchange.note([], of: 1, isSlow: true)
        let visits = (0..<3 as Range<UInt64>).map { Samples.visit($0, from: pair.guest.clock.now) }
        _ = try await pair.guest.report(visits, as: station.token)
        #expect(try await pair.send() == .failed)
        pair.guest.clock.advance(by: .seconds(64))
        #expect(try await pair.send(after: 6) == .sent)
        #expect(try await pair.home.sightings(of: report, by: owner).count == 1)
    }

    @Test("lists come as changes, and end with the search")
    func lists() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        try await pair.readList()
        #expect(try await pair.homeAtGuest().list?.entries == 1)
        let station = try await pair.guest.newStation()
        let list = try await pair.guest.call(
            .get, "/v1/missing", token: station.token, headers: [.accept: MediaType.missingList])
        guard case .full(let union) = try ListMessage([UInt8](list.body)) else { return }
        #expect(union.contains(Samples.identity(1)))
        // The guest's list does not come back.
        let token = try await pair.tokenOfGuest()
        let own = try await pair.guest.call(
            .get, "/v1/partner/missing", token: pair.tokenOfHome(), headers: [.accept: MediaType.missingList])
        guard case .full(let shared) = try ListMessage([UInt8](own.body)) else { return }
        #expect(shared.count == 0)
        _ = try await pair.home.post(
            "/v1/bikes/\(report.bike)/reports/\(report.id)/closure", token: owner, ReportClosure(outcome: .recovered))
        // The list is made at most twice a second.
        try await eventually("the list is empty") {
            try await pair.readList()
            return try await pair.homeAtGuest().list?.entries == 0
        }
        // Suspended, the guest's token works no more.
        let partner = try #require(try await pair.home.store.activePartners().first)
        _ = try await pair.home.operations.changePartner(
            partner.id, PartnerPatch(suspended: true), quarantineSince: nil, by: Pair.anOperator)
        #expect(try await pair.home.call(.get, "/v1/partner/missing", token: token).status == 401)
        #expect(try await pair.home.post("/v1/partner/visits", token: token, EmptyBatch()).status == 401)
    }

    @Test("a first list is followed at once; after a change of the whole list comes a pause of half an hour")
    func pauses() async throws {
        let pair = try await Pair()
        let (partner, connection) = try await pair.homeAsPartner()
        let reading = PartnerListReading(exchange: try pair.guestExchange, partner: partner, connection: connection)
        for (isFirst, seconds) in [(true, 1), (false, 1800)] {
            let change = PartnerListReading.Change(isFirst: isFirst, hashes: partner.limits.listed, bytes: 1000)
            #expect(reading.pause(after: change) == .seconds(seconds))
        }
    }

    @Test("after a failure, the next request for a partner's list does not wait, so that its success is seen")
    func requestsAfterFailures() async throws {
        let pair = try await Pair()
        let (partner, connection) = try await pair.homeAsPartner()
        let failures = Mutex<[String?]>([])
        let reading = Mutex<Task<Void, Never>?>(nil)
        let exchange = PartnerExchange(
            store: pair.guest.store, network: pair.network, keyring: pair.guestKeyring,
            clock: pair.guest.clock.wallClock,
            sleep: { _ in
                let failure = try await pair.homeAtGuest().list?.failure
                let requests = failures.withLock { noted in
                    noted.append(failure)
                    return noted.count
                }
                // The third request fails.
                pair.network.isDown.withLock { $0 = requests == 2 }
                if requests >= 5 { reading.withLock { $0?.cancel() } }
            }, logger: .silent)
        try await exchange.prepare()
        let task = Task {
            await PartnerListReading(exchange: exchange, partner: partner, connection: connection).run()
        }
        reading.withLock { $0 = task }
        await task.value
        let waits: [Duration] = [.zero, .seconds(60), .seconds(60), .zero, .seconds(60)]
        #expect(pair.network.waits.withLock { Array($0.prefix(5)) } == waits)
        #expect(failures.withLock { Array($0.prefix(5)) } == [nil, nil, "away", nil, nil])
    }

    private struct EmptyBatch: Encodable { let visits: [SignedVisit] = [] }

    @Test("a list that is too long, damaged or for another version leaves the stations' list as it is")
    func hostileLists() async throws {
        let pair = try await Pair()
        _ = try await pair.missingBike()
        try await pair.readList()
        let before = try await pair.guest.store.missingListVersion()
        let many = MissingIdentities(
            version: ListVersion(number: 7, mark: 7), identities: (1...20).map { Samples.identity($0) })
        let operatorPatch = PartnerPatch(limits: PartnerLimits(listed: 10, visits: 10))
        let partner = try #require(try await pair.guest.store.activePartners().first)
        _ = try await pair.guest.operations.changePartner(
            partner.id, operatorPatch, quarantineSince: nil, by: Pair.anOperator)
        let other = ListVersion(number: 5, mark: 5)
        let delta = ListDelta(to: many, from: other, removed: [TruncatedHash](), added: Array(many.hashes))
        for message in [ListMessage.full(many), .delta(delta)] {
            pair.network.list.withLock { $0 = message }
            await #expect(throws: PartnerFailure.self) { try await pair.readList() }
        }
        #expect(try await pair.guest.store.missingListVersion() == before)
    }

    @Test("a stolen token alone forges nothing, and visits to bikes that nobody misses leave no trace")
    func forgeries() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        let token = try await pair.tokenOfGuest()
        let (mine, thief) = (pair.guestKeyring, Keyring(at: pair.home.clock.now))
        let home = try #require(pair.homeKeyring.keys.first?.fingerprint)
        func status(_ visit: Visit, to: String, by keyring: Keyring) async throws -> Int {
            try await pair.home.post("/v1/partner/visits", token: token, try pair.batch([visit], to: to, by: keyring))
                .status
        }
        let visit = Samples.visit(from: pair.home.clock.now)
        #expect(try await status(visit, to: home, by: thief) == 422)
        let elsewhere = try #require(thief.keys.first?.fingerprint)
        #expect(try await status(visit, to: elsewhere, by: mine) == 422)
        #expect(try await pair.home.sightings(of: report, by: owner).isEmpty)
        // A beacon that nobody misses: no station is stored for it.
        let unknown = Samples.visit(of: Samples.identity(9), from: pair.home.clock.now)
        let answer = try await pair.home.post(
            "/v1/partner/visits", token: token, try pair.batch([unknown, visit], to: home, by: mine))
        #expect(try answer.value(VisitBatchResult.self).results.map(\.result) == [.ignored, .stored])
        // A replay changes nothing.
        #expect(try await status(visit, to: home, by: mine) == 200)
        #expect(try await pair.home.sightings(of: report, by: owner).count == 1)
        let partner = try #require(try await pair.home.store.activePartners().first)
        #expect(try await pair.home.store.partner(partner.id, at: pair.home.clock.now).received.stations == 1)
        // Beyond the limit, everything waits.
        _ = try await pair.home.operations.changePartner(
            partner.id, PartnerPatch(limits: PartnerLimits(listed: 10, visits: 0)), quarantineSince: nil,
            by: Pair.anOperator)
        #expect(try await status(visit, to: home, by: mine) == 429)
    }

    @Test("a visit that is refused leaves those of other stations in its batch")
    func manyStations() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        let home = try #require(pair.homeKeyring.keys.first?.fingerprint)
        let now = pair.home.clock.now
        var batch = ForwardedBatch(visits: [])
        for number in 0..<25 as Range<UInt64> {
            // One is in the future.
            let visit = Samples.visit(number, from: number == 12 ? now.advanced(by: .seconds(7200)) : now)
            batch.visits += try pair.batch(
                [visit], to: home, by: pair.guestKeyring, of: StationID(high: 7, low: number)
            ).visits
        }
        let answer = try await pair.home.post("/v1/partner/visits", token: try await pair.tokenOfGuest(), batch)
        let results = try answer.value(VisitBatchResult.self).results
        #expect(results.map(\.id) == (0..<25 as Range<UInt64>).map { Samples.visit($0, from: now).id })
        #expect(results.indices.filter { results[$0].result == .invalid } == [12])
        #expect(results[12].errors?.map(\.pointer) == ["/visits/12/lastSeen"])
        #expect(results.count { $0.result == .stored } == 24)
        #expect(try await pair.home.sightings(of: report, by: owner).count == 24)
    }

    @Test("a partner that sends without end is stopped by its limit")
    func flood() async throws {
        let pair = try await Pair()
        _ = try await pair.missingBike()
        let token = try await pair.tokenOfGuest()
        let home = try #require(pair.homeKeyring.keys.first?.fingerprint)
        let partner = try #require(try await pair.home.store.activePartners().first)
        _ = try await pair.home.operations.changePartner(
            partner.id, PartnerPatch(limits: PartnerLimits(listed: 10, visits: 300)), quarantineSince: nil,
            by: Pair.anOperator)
        var taken = 0
        for round in 0..<5 as Range<UInt64> {
            let visits = (0..<100 as Range<UInt64>).map {
                Samples.visit(round * 100 + $0, of: Samples.identity(9), from: pair.home.clock.now)
            }
            let answer = try await pair.home.post(
                "/v1/partner/visits", token: token, try pair.batch(visits, to: home, by: pair.guestKeyring))
            guard answer.status == 200 else {
                #expect(answer.status == 429 && answer.problem == "too-many-partner-visits")
                break
            }
            taken += 100
        }
        #expect(taken == 300)
    }

    @Test("nobody becomes a partner with this registry's own key")
    func ownKey() async throws {
        let pair = try await Pair()
        let invitation = try await pair.home.operations.invitePartner(
            PartnerInvitationDraft(name: "Mirror"), by: Pair.anOperator)
        let token = try await pair.tokenOfHome()
        for (keyring, status) in [(pair.homeKeyring, 422), (Keyring(at: pair.home.clock.now), 201)] {
            let offer = try Self.offer(invitation.code, token: token, by: keyring)
            #expect(try await pair.home.post("/v1/partner/acceptance", offer).status == status)
        }
        // Nor does an operator pin it later.
        let guest = try #require(try await pair.home.store.activePartners().first)
        let patch = PartnerPatch(publicKey: pair.homeKeyring.current.publicKey)
        await #expect(throws: DomainError.self) {
            _ = try await pair.home.operations.changePartner(
                guest.id, patch, quarantineSince: nil, by: Pair.anOperator)
        }
    }

    /// A registry's offer for a code of the home registry.
    private static func offer(_ code: String, token: String, by keyring: Keyring) throws -> PartnerOffer {
        let code = OneTimeCode(typed: code)
        return try PartnerProof(code: code.digest, receiver: "https://home.example").offer(
            from: "https://mirror.example", token: try #require(AccessToken(token)), showing: code, by: keyring)
    }

    @Test("a leaked code makes nobody a partner under a key that they do not hold")
    func leakedCode() async throws {
        let pair = try await Pair()
        let keyring = Keyring(at: pair.home.clock.now)
        func invite() async throws -> String {
            try await pair.home.operations.invitePartner(PartnerInvitationDraft(name: "Lyon"), by: Pair.anOperator).code
        }
        let (code, other) = (try await invite(), try await invite())
        let (token, otherToken) = (try await pair.tokenOfHome(), try await pair.tokenOfGuest())
        let offer = try Self.offer(code, token: token, by: keyring)
        let answer = try PartnerProof(
            code: OneTimeCode(typed: code).digest, receiver: "https://home.example",
            answering: SecretDigest(of: token)
        ).offer(from: offer.url, token: try #require(AccessToken(token)), by: keyring)
        // The registry of a leaked code's holder got this offer, and passes it on.
        let relayed = try PartnerProof(code: OneTimeCode(typed: code).digest, receiver: "https://relay.example").offer(
            from: offer.url, token: try #require(AccessToken(token)), showing: OneTimeCode(typed: code), by: keyring)
        #expect(try await pair.home.post("/v1/partner/acceptance", relayed).pointers == ["/proof"])
        let thief = Keyring(at: pair.home.clock.now)
        for change in [
            { $0.url = "https://thief.example" }, { $0.token = otherToken }, { $0.code = other },
            { $0.publicKey = thief.current.publicKey }, { $0.proof = answer.proof },
            { $0.proof = String(repeating: "0", count: 128) }, { $0.proof = String(repeating: "x", count: 128) },
        ] as [(inout PartnerOffer) -> Void] {
            var changed = offer
            change(&changed)
            #expect(try await pair.home.post("/v1/partner/acceptance", changed).status == 422)
        }
        #expect(try await pair.home.post("/v1/partner/acceptance", offer).status == 201)
    }

    @Test("an answer to an offer is accepted only from the holder of its key, and only for this offer")
    func falseAnswers() async throws {
        let pair = try await Pair()
        let former = try #require(try await pair.home.store.activePartners().first)
        try await pair.home.operations.removePartner(former.id, quarantineSince: nil, by: Pair.anOperator)
        let invitation = try await pair.home.operations.invitePartner(
            PartnerInvitationDraft(name: "Guest again"), by: Pair.anOperator)
        let acceptance = PartnerAcceptance(url: "https://home.example", code: invitation.code, name: "Home again")
        let token = try await pair.guest.newOperator()
        func status(answering answer: PartnerOffer? = nil) async throws -> Int {
            pair.network.answer.withLock { $0 = answer }
            return try await pair.guest.post("/v1/partners", token: token, acceptance).status
        }
        #expect(try await status() == 201)
        // The home registry lets the guest repeat the call, but its earlier answer is of no use.
        let answers = pair.network.answers.withLock(\.self)
        let earlier = try #require(answers.last)
        #expect(try await status(answering: earlier) == 422)
        let thief = Keyring(at: pair.home.clock.now)
        var foreign = earlier
        foreign.publicKey = thief.current.publicKey
        #expect(try await status(answering: foreign) == 422)
        #expect(try await status() == 201)
    }

    @Test("a registry that accepts a second invitation stays one partner; once removed, it can come back")
    func again() async throws {
        let pair = try await Pair()
        func accept() async throws -> Partner {
            let invitation = try await pair.home.operations.invitePartner(
                PartnerInvitationDraft(name: "Guest again"), by: Pair.anOperator)
            return try await pair.guest.operations.acceptPartner(
                PartnerAcceptance(url: "https://home.example", code: invitation.code, name: "Home again"),
                by: Pair.anOperator)
        }
        await #expect(throws: DomainError.self) { _ = try await accept() }
        #expect(try await pair.home.store.activePartners().map(\.name) == ["Guest"])
        #expect(try await pair.guest.store.activePartners().map(\.name) == ["Home"])
        try await pair.readList()
        let guest = try #require(try await pair.home.store.activePartners().first)
        try await pair.home.operations.removePartner(guest.id, quarantineSince: nil, by: Pair.anOperator)
        let partner = try await accept()
        #expect(partner.state == .active && partner.name == "Home")
        #expect(try await pair.home.store.activePartners().map(\.name) == ["Guest again"])
        try await pair.readList()
    }

    @Test("a partner gets new tokens by a code for renewal, and everything else stays")
    func renewal() async throws {
        let pair = try await Pair()
        _ = try await pair.missingBike()
        try await pair.readList()
        let (home, token) = (pair.home, try await pair.home.newOperator())
        let guest = try #require(try await home.store.activePartners().first)
        let former = (ofGuest: try await pair.tokenOfGuest(), ofHome: try await pair.tokenOfHome())
        let path = "/v1/partners/\(guest.id)/renewal"
        #expect(try await home.call(.post, path, token: former.ofGuest, body: "{}").status == 403)
        let invitation: PartnerInvitation = try await home.call(.post, path, token: token, body: "{}").value()
        #expect(invitation.id == guest.id && invitation.url == "https://home.example")
        let waiting: Partner = try await home.call(.get, "/v1/partners/\(guest.id)", token: token).value()
        #expect(waiting.state == .active && waiting.renewal == invitation.expires)
        #expect(try await home.call(.get, "/v1/partner/missing", token: former.ofGuest).status == 401)
        // Nobody else can use the code.
        let stranger = try Self.offer(invitation.code, token: former.ofHome, by: Keyring(at: home.clock.now))
        #expect(try await home.post("/v1/partner/acceptance", stranger).problem == "code-unusable")
        // Nor can somebody pass on an offer that the partner sent to another address.
        let relayed = try PartnerProof(
            code: OneTimeCode(typed: invitation.code).digest, receiver: "https://relay.example"
        ).offer(
            from: "https://guest.example", token: try #require(AccessToken(former.ofHome)),
            showing: OneTimeCode(typed: invitation.code), by: pair.guestKeyring)
        #expect(try await home.post("/v1/partner/acceptance", relayed).status == 422)
        let acceptance = PartnerAcceptance(url: "https://home.example", code: invitation.code, name: "Another name")
        let renewed = try await pair.guest.operations.acceptPartner(acceptance, by: Pair.anOperator)
        #expect(renewed.name == "Home" && renewed.list?.entries == 1)
        #expect(try await home.store.activePartners().map(\.id) == [guest.id])
        #expect(try await pair.tokenOfGuest() != former.ofGuest)
        #expect(try await pair.tokenOfHome() != former.ofHome)
        try await pair.readList()
        await #expect(throws: DomainError.self) {
            _ = try await pair.guest.operations.acceptPartner(acceptance, by: Pair.anOperator)
        }
        #expect(try await home.call(.delete, "/v1/partners/\(guest.id)", token: token).status == 204)
        #expect(try await home.call(.post, path, token: token, body: "{}").status == 404)
    }

    @Test("after an earlier key file was put back, visits arrive again once its key is pinned again")
    func earlierKey() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        try await pair.readList()
        let station = try await pair.guest.newStation()
        try pair.guestExchange.note([], of: 1, isSlow: true)
        let partner = try #require(try await pair.guest.store.activePartners().first)
        func pin(_ keyring: Keyring) async throws {
            _ = try await pair.guest.operations.changePartner(
                partner.id, PartnerPatch(publicKey: keyring.current.publicKey), quarantineSince: nil,
                by: Pair.anOperator)
        }
        // The home registry has the key that it had before.
        try await pin(pair.homeKeyring.rotated(at: pair.home.clock.now))
        _ = try await pair.guest.report([Samples.visit(from: pair.guest.clock.now)], as: station.token)
        #expect(try await pair.send() == .failed)
        try await pin(pair.homeKeyring)
        pair.guest.clock.advance(by: .seconds(2))
        #expect(try await pair.send() == .sent)
        #expect(try await pair.home.sightings(of: report, by: owner).count == 1)
    }

    @Test("an operator invites, lists, changes and removes partners; nobody else can")
    func operators() async throws {
        let pair = try await Pair()
        let (home, token) = (pair.home, try await pair.home.newOperator())
        let listed = try await home.call(.get, "/v1/partners", token: token).value(Page<Partner>.self).items
        let partner = try #require(listed.first)
        #expect(listed.count == 1 && partner.name == "Guest" && partner.state == .active)
        #expect(partner.fingerprints == pair.guestKeyring.keys.map(\.fingerprint))
        let path = "/v1/partners/\(partner.id)"
        let new = Keyring(at: home.clock.now)
        let patch = PartnerPatch(name: "Zürich", publicKey: new.current.publicKey)
        let text = String(decoding: try JSONEncoder().encode(patch), as: UTF8.self)
        let changed: Partner = try await home.call(.patch, path, token: token, body: text).value()
        #expect(changed.name == "Zürich" && changed.fingerprints.last == new.current.fingerprint)
        // What is disputed has been reported.
        let coming = "\(path)?quarantineSince=2026-11-21T12:05:01Z"
        let suspension = try await home.call(.patch, coming, token: token, body: #"{"suspended":true}"#)
        #expect(suspension.status == 422 && suspension.pointers == ["/quarantineSince"])
        #expect(try await home.call(.delete, coming, token: token).status == 422)
        #expect(try await home.store.partner(partner.id, at: home.clock.now).state == .active)
        let owner = try await home.newOwner()
        for caller in [owner, try await pair.tokenOfGuest()] {
            #expect(try await home.call(.get, "/v1/partners", token: caller).status == 403)
        }
        #expect(try await home.call(.delete, path, token: token).status == 204)
        #expect(try await home.call(.get, path, token: token).status == 404)
        let unreachable = PartnerAcceptance(url: "https://nowhere.example", code: "7GQK-M2XP", name: "Nowhere")
        #expect(try await home.post("/v1/partners", token: token, unreachable).status == 409)
        let plain = PartnerAcceptance(url: "http://10.0.0.1", code: "7GQK-M2XP", name: "Inside")
        #expect(try await home.post("/v1/partners", token: token, plain).status == 422)
        // PartnerAddressTests has the other ways to write an address.
        for address in ["https:", "ftp://host.example", "https://host.example//", "https://[0:0:0:0:0:0:0:1]"] {
            let other = PartnerAcceptance(url: address, code: "7GQK-M2XP", name: "Path")
            #expect(try await home.post("/v1/partners", token: token, other).status == 422, "\(address)")
        }
    }
}
