import Beacons
import FoundationEssentials
import HTTPTypes
import MissingList
import OperatingSystem
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Synchronization
import Testing

@testable import Operations
@testable import RegistryHTTP

@Suite("Buyers' checks at partner registries")
struct PartnerCheckTests {
    private static let number = "WTU 123 CO456 K"

    /// A bike of the home registry that is missing, with a number that buyers can check.
    private func missingBike(_ pair: Pair, onlyHere: Bool? = nil) async throws {
        let owner = try await pair.home.newOwner()
        var draft = Samples.bike
        (draft.serial, draft.buyerCheck) = (Self.number, true)
        let bike: Bike = try await pair.home.post("/v1/bikes", token: owner, draft).value()
        let report = MissingReportDraft(policeReference: "CRIME-7", onlyHere: onlyHere)
        #expect(try await pair.home.post("/v1/bikes/\(bike.id)/reports", token: owner, report).status == 201)
    }

    private func check(_ pair: Pair, _ number: String = number) async throws -> NumberCheck {
        try await pair.guest.post("/v1/checks", NumberCheckDraft(number: number)).value()
    }

    @Test("a check also finds bikes that partners miss, names the registry to write to, and shows it no number")
    func found() async throws {
        let pair = try await Pair()
        try await missingBike(pair)
        // Before the list is read, the partner cannot be asked.
        try await pair.guestExchange.refresh()
        #expect(try await check(pair) == NumberCheck(missing: false, unasked: ["Home"]))
        try await pair.readNumbers()
        let home = NumberElsewhere(registry: "Home", url: "https://home.example")
        #expect(try await check(pair) == NumberCheck(missing: false, elsewhere: [home]))
        #expect(try await check(pair, "wtu-123/co456k") == NumberCheck(missing: false, elsewhere: [home]))
        var similar = home
        similar.similar = true
        #expect(try await check(pair, "WTU 123 C0456 K") == NumberCheck(missing: false, elsewhere: [similar]))
        #expect(try await check(pair, "WTU 123 CO456 X") == NumberCheck(missing: false))
        // The home registry saw the same point twice for the same number, and another one with the next list.
        let asked = pair.network.hidden.withLock(\.self)
        #expect(asked.count == 4 && asked[0] == asked[1] && Set(asked.map(\.exact)).count == 3)
        try await pair.readNumbers()
        #expect(try await check(pair).elsewhere == [home])
        let later = pair.network.hidden.withLock { $0.last }
        #expect(later != asked[0] && later?.exact.count == 64)
    }

    @Test("the page for people says the same, and leads to the partner's page")
    func page() async throws {
        let pair = try await Pair()
        try await missingBike(pair)
        try await pair.readNumbers()
        func page(_ number: String) async throws -> String {
            let answer = try await pair.guest.call(
                .post, "/check", body: "number=\(number)",
                headers: [.contentType: "application/x-www-form-urlencoded"])
            #expect(answer.status == 200)
            return String(decoding: answer.body, as: UTF8.self)
        }
        let found = try await page("WTU123CO456K")
        #expect(found.contains("reported as missing at another registry: Home"))
        #expect(found.contains(#"href="https://home.example/check""#) && !found.contains("This proves nothing."))
        let similar = try await page("WTU123C0456K")
        #expect(similar.contains("similar number") && similar.contains("This proves nothing."))
        pair.network.isDown.withLock { $0 = true }
        #expect(try await page("WTU123CO456K").contains("could not be asked: Home"))
    }

    @Test("numbers of bikes that partners do not search for, or whose owners allow no check, are not shared")
    func withheld() async throws {
        let pair = try await Pair()
        try await missingBike(pair, onlyHere: true)
        try await pair.readNumbers()
        #expect(try await check(pair) == NumberCheck(missing: false))
        let asked = pair.network.hidden.withLock(\.self)
        #expect(asked.isEmpty, "an empty list needs no question")
        let token = try await pair.tokenOfGuest()
        let shared = try await pair.home.call(.get, "/v1/partner/numbers", token: token).value(SharedNumbers.self)
        #expect(shared == SharedNumbers(exact: [], folded: []))
        for caller in [try await pair.home.newOwner(), try await pair.home.newStation().token] {
            #expect(try await pair.home.call(.get, "/v1/partner/numbers", token: caller).status == 403)
        }
    }

    @Test("a partner that is slow, away or sends nonsense is named as not asked, and not asked again at once")
    func away() async throws {
        let pair = try await Pair()
        try await missingBike(pair)
        try await pair.readNumbers()
        pair.network.isDown.withLock { $0 = true }
        #expect(try await check(pair) == NumberCheck(missing: false, unasked: ["Home"]))
        pair.network.isDown.withLock { $0 = false }
        #expect(try await check(pair) == NumberCheck(missing: false, unasked: ["Home"]))
        let asked = pair.network.hidden.withLock(\.self)
        #expect(asked.isEmpty)
        pair.guest.clock.advance(by: .seconds(31))
        #expect(try await check(pair).elsewhere?.count == 1)
        let token = try await pair.tokenOfGuest()
        for text in [String(repeating: "0", count: 64), String(repeating: "x", count: 64)] {
            let number = HiddenNumber(exact: text, folded: text)
            #expect(try await pair.home.post("/v1/partner/checks", token: token, number).status == 422)
        }
    }

    @Test("a partner that reads numbers or checks one has its token, so its code is used", arguments: [true, false])
    func use(reads: Bool) async throws {
        let pair = try await Pair()
        func isUsed() async throws -> Bool? { try await pair.home.store.activePartners().first?.isUsed }
        #expect(try await isUsed() == false)
        let token = try await pair.tokenOfGuest()
        let hiding = NumberHiding(key: Array(repeating: 1, count: 32))
        let number = try BikeNumber(typed: Self.number)
        let points = try #require(hiding.hide(number))
        let hidden = HiddenNumber(exact: NumberHiding.text(points.exact), folded: NumberHiding.text(points.folded))
        let answer =
            try await reads
            ? pair.home.call(.get, "/v1/partner/numbers", token: token)
            : pair.home.post("/v1/partner/checks", token: token, hidden)
        #expect(answer.status == 200)
        #expect(try await isUsed() == true)
    }

    @Test("a partner that does not let its list be read again cannot recognise a number for long")
    func oldKey() async throws {
        let pair = try await Pair()
        try await missingBike(pair)
        try await pair.readNumbers()
        pair.guest.clock.advance(by: .seconds(1200))
        #expect(try await check(pair).elsewhere?.count == 1)
        pair.guest.clock.advance(by: .seconds(1))
        #expect(try await check(pair) == NumberCheck(missing: false, unasked: ["Home"]))
        #expect(pair.network.hidden.withLock(\.count) == 1)
    }

    /// A partner that never answers.
    private final class Mute: PartnerConnection {
        let asked = Mutex(0)

        func check(_ number: HiddenNumber) async throws(PartnerFailure) -> HiddenNumber {
            asked.withLock { $0 += 1 }
            // Until the task is cancelled.
            await WakeUp().wait()
            throw PartnerFailure("no answer")
        }

        func list(after version: ListVersion?, wait: Duration) async throws(PartnerFailure) -> ListMessage? { nil }
        func send(_ batch: ForwardedBatch) async throws(PartnerFailure) -> [VisitResult] { [] }
        func description() async throws(PartnerFailure) -> RegistryDescription { throw PartnerFailure("no answer") }
        func numbers() async throws(PartnerFailure) -> SharedNumbers { throw PartnerFailure("no answer") }
    }

    @Test("a partner that does not answer in time is named, and the next checks do not wait for it")
    func mute() async throws {
        let pair = try await Pair()
        let (partner, _) = try await pair.homeAsPartner()
        let (numbers, connection) = (PartnerNumbers(), Mute())
        let hiding = NumberHiding(key: Array(repeating: 1, count: 32))
        let number = try BikeNumber(typed: Self.number)
        let points = try #require(hiding.hide(number))
        numbers.set(
            PartnerNumbers.List(
                partner: partner, connection: connection, hiding: hiding, exact: [points.exact],
                folded: [points.folded], read: pair.guest.clock.now))
        for _ in 1...3 {
            // The time is over immediately.
            let answer = await numbers.check(
                number, among: [partner], clock: pair.guest.clock.wallClock, sleep: { _ in })
            #expect(answer.found.isEmpty && answer.unasked == ["Home"])
        }
        #expect(connection.asked.withLock(\.self) <= 1)
        pair.guest.clock.advance(by: .seconds(31))
        _ = await numbers.check(number, among: [partner], clock: pair.guest.clock.wallClock, sleep: { _ in })
        #expect(connection.asked.withLock(\.self) <= 2)
    }

    @Test("a partner checks a limited number of numbers")
    func limited() async throws {
        var limits = RateLimits()
        limits[.partnerChecks] = .rate(RequestRate(2, per: .seconds(3600)))
        let pair = try await Pair(options: ServerOptions(limits: limits))
        try await missingBike(pair)
        try await pair.readNumbers()
        for _ in 1...2 { #expect(try await check(pair).elsewhere?.count == 1) }
        #expect(try await check(pair) == NumberCheck(missing: false, unasked: ["Home"]))
    }
}
