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
        let partner = try #require(try await pair.guest.store.activePartners().first)
        let connection = try pair.network.connect(
            to: partner.url, token: partner.secret, mostListed: partner.limits.listed)
        let reading = PartnerListReading(try pair.guestExchange, partner, connection)
        for (isFirst, seconds) in [(true, 1), (false, 1800)] {
            let change = PartnerListReading.Change(isFirst: isFirst, hashes: partner.limits.listed, bytes: 1000)
            #expect(reading.pause(after: change) == .seconds(seconds))
        }
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
    }
}

/// Two registries that are partners: the guest has accepted the home registry's invitation.
private struct Pair {
    let network = JoinedNetwork()
    let homeKeyring: Keyring
    let guestKeyring: Keyring
    let home: Harness
    let guest: Harness

    static let anOperator = Principal.operator(OperatorID(high: 9, low: 9))

    init() async throws {
        let time = HandClock().now
        (homeKeyring, guestKeyring) = (Keyring(at: time), Keyring(at: time))
        home = try Harness(keyring: homeKeyring, publicURL: "https://home.example", network: network)
        guest = try Harness(keyring: guestKeyring, publicURL: "https://guest.example", network: network)
        network.join(["https://home.example": home, "https://guest.example": guest])
        let invitation = try await home.operations.invitePartner(
            PartnerInvitationDraft(name: "Guest"), by: Self.anOperator)
        let partner = try await guest.operations.acceptPartner(
            PartnerAcceptance(url: "https://home.example/", code: invitation.code, name: "Home"), by: Self.anOperator)
        #expect(partner.state == .active && partner.url == "https://home.example")
    }

    var guestExchange: PartnerExchange {
        get throws { try #require(guest.operations.partners) }
    }

    func missingBike() async throws -> (owner: String, report: MissingReport) {
        let owner = try await home.newOwner()
        let bike = try await home.newBike(of: owner)
        return (owner, try await home.newReport(on: bike.id, of: owner))
    }

    /// Lets the guest read the home registry's list once.
    func readList() async throws {
        let exchange = try guestExchange
        await exchange.refresh()
        let partner = try #require(try await guest.store.activePartners().first)
        let connection = try network.connect(
            to: partner.url, token: partner.secret, mostListed: partner.limits.listed)
        var needsAll = false
        _ = try await PartnerListReading(exchange, partner, connection).ask(needsAll: &needsAll)
    }

    /// Lets the guest send once.
    func send(after failures: Int = 0) async throws -> PartnerSending.Outcome {
        let partner = try #require(try await guest.store.activePartners().first)
        let connection = try network.connect(
            to: partner.url, token: partner.secret, mostListed: partner.limits.listed)
        return try await PartnerSending(try guestExchange, partner, connection).sendDue(after: failures)
    }

    /// The home registry as the guest's operator sees it.
    func homeAtGuest() async throws -> Partner {
        try #require(try await guest.store.partners(PageRequest(limit: 1), at: guest.clock.now).items.first)
    }

    /// The token with which the guest calls the home registry.
    func tokenOfGuest() async throws -> String {
        try #require(try await guest.store.activePartners().first).secret
    }

    /// The token with which the home registry calls the guest.
    func tokenOfHome() async throws -> String { try #require(try await home.store.activePartners().first).secret }

    func batch(_ visits: [Visit], to fingerprint: String, by keyring: Keyring) throws -> ForwardedBatch {
        ForwardedBatch(
            visits: try visits.map { visit in
                let station = ForwardingStation(
                    id: StationID(high: 7, low: 7), name: "Bistro", mobile: false, place: Samples.place)
                let forwarded = ForwardedVisit(
                    to: fingerprint, received: visit.lastSeen, station: station, visit: visit)
                let text =
                    SignedVisit.title + "\n" + String(decoding: try JSONEncoder().encode(forwarded), as: UTF8.self)
                return SignedVisit(statement: text, signature: Hexadecimal.text(try keyring.sign(Array(text.utf8))))
            })
    }
}

/// Registries that call each other without connections.
private final class JoinedNetwork: PartnerNetwork, Sendable {
    private let registries = Mutex<[String: Harness]>([:])
    let isDown = Mutex(false)
    /// Whether requests arrive, but no answers do.
    let losesAnswers = Mutex(false)
    /// What is answered in place of a list.
    let list = Mutex<ListMessage?>(nil)

    func join(_ registries: [String: Harness]) { self.registries.withLock { $0 = registries } }

    fileprivate func registry(at url: String) throws(PartnerFailure) -> Harness {
        guard let registry = registries.withLock({ $0[url] }), !isDown.withLock(\.self) else {
            throw PartnerFailure("away")
        }
        return registry
    }

    func accept(_ offer: PartnerOffer, at url: String) async throws(PartnerFailure) -> PartnerOffer {
        let registry = try registry(at: url)
        return try await Self.failing { try await registry.post("/v1/partner/acceptance", offer).value() }
    }

    func connect(to url: String, token: String, mostListed: Int) throws(PartnerFailure) -> any PartnerConnection {
        Connection(network: self, url: url, token: token, mostListed: mostListed)
    }

    static func failing<Value>(_ call: () async throws -> Value) async throws(PartnerFailure) -> Value {
        do { return try await call() } catch { throw PartnerFailure("\(error)") }
    }

    private struct Connection: PartnerConnection {
        let network: JoinedNetwork
        let url: String
        let token: String
        let mostListed: Int

        func list(after version: ListVersion?, wait: Duration) async throws(PartnerFailure) -> ListMessage? {
            let registry = try network.registry(at: url)
            if let message = network.list.withLock(\.self) { return message }
            return try await JoinedNetwork.failing {
                var headers: HTTPFields = [.accept: MediaType.missingList, .aIM: "findmybike"]
                if let version { headers[.ifNoneMatch] = "\"\(version)\"" }
                let answer = try await registry.call(.get, "/v1/partner/missing", token: token, headers: headers)
                return answer.status == 304 ? nil : try ListMessage([UInt8](answer.body), limit: mostListed)
            }
        }

        func send(_ batch: ForwardedBatch) async throws(PartnerFailure) -> [VisitResult] {
            let registry = try network.registry(at: url)
            let results: [VisitResult] = try await JoinedNetwork.failing {
                try await registry.post("/v1/partner/visits", token: token, batch).value(VisitBatchResult.self).results
            }
            if network.losesAnswers.withLock(\.self) { throw PartnerFailure("no answer arrived") }
            return results
        }
    }
}
