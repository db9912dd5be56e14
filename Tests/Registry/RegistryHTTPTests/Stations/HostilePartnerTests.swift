import Evidence
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Synchronization
import Testing

@testable import Operations
@testable import RegistryHTTP

@Suite("Hostile partner registries")
struct HostilePartnerTests {
    private typealias Lie = @Sendable ([VisitResult]) -> [VisitResult]

    @Test("an answer that does not fit the visits confirms none of them")
    func falseAnswers() async throws {
        let pair = try await Pair()
        _ = try await pair.missingBike()
        try await pair.readList()
        let station = try await pair.guest.newStation()
        try pair.guestExchange.note([], of: 1, isSlow: true)
        let visits = (1...2 as ClosedRange<UInt64>).map { Samples.visit($0, from: pair.guest.clock.now) }
        _ = try await pair.guest.report(visits, as: station.token)
        let more: Lie = { $0 + $0 }
        let fewer: Lie = { Array($0.dropLast()) }
        let twice: Lie = { [$0[0], $0[0]] }
        let exchanged: Lie = { $0.reversed() }
        let nameless: Lie = { $0.map { VisitResult(id: nil, result: $0.result) } }
        for lie in [more, fewer, twice, exchanged, nameless] {
            pair.network.falsify.withLock { $0 = lie }
            #expect(try await pair.send() == .failed)
            #expect(try await pair.homeAtGuest().sent.waiting == 2)
            pair.guest.clock.advance(by: .seconds(2))
        }
        pair.network.falsify.withLock { $0 = nil }
        #expect(try await pair.send() == .sent)
        #expect(try await pair.homeAtGuest().sent.waiting == 0)
    }

    @Test("a station gets a photo only from the partner's address, in whatever form the partner writes that")
    func photos() async throws {
        let pair = try await Pair()
        _ = try await pair.missingBike()
        try await pair.readList()
        let station = try await pair.guest.newStation()
        let visit = Samples.visit(from: pair.guest.clock.now)
        try pair.guestExchange.note([], of: 1, isSlow: true)
        _ = try await pair.guest.report([visit], as: station.token)
        for (photo, isOwn) in [
            ("https://home.example/photo", true), ("https://HOME.example:443/photo", true),
            ("https://thief.example/photo", false), ("https://home.example.thief.example/photo", false),
            ("https://home.example@thief.example/photo", false), ("http://home.example/photo", false),
            ("https://home.example:8443/photo", false),
        ] as [(String, Bool)] {
            let bike = BikeAppearance(
                kind: .bicycle, make: "Brompton", model: "C Line", colours: [.green], photo: photo)
            let answers: Lie = { $0.map { VisitResult(id: $0.id, result: .stored, lookFor: bike) } }
            pair.network.falsify.withLock { $0 = answers }
            #expect(try await pair.send() == .sent)
            // The station gets the partner's answer with its next report of the visit.
            try pair.guestExchange.note([], of: 1, isSlow: true)
            let shown = try await pair.guest.report([visit], as: station.token).first?.lookFor
            let expected: String? = isOwn ? photo : nil
            #expect(shown?.make == "Brompton" && shown?.photo == expected, "\(photo)")
        }
    }

    @Test("too many visits, too long texts and impossible times store nothing; a number beyond its bounds is limited")
    func batches() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        let token = try await pair.tokenOfGuest()
        let home = try #require(pair.homeKeyring.keys.first?.fingerprint)
        let now = pair.home.clock.now
        func send(_ visits: [Visit]) async throws -> Answer {
            let batch = try pair.batch(visits, to: home, by: pair.guestKeyring)
            return try await pair.home.post("/v1/partner/visits", token: token, batch)
        }
        let many = (0...100 as ClosedRange<UInt64>).map { Samples.visit($0, from: now) }
        #expect(try await send(many).status == 422)
        let long = SignedVisit(
            statement: String(repeating: "x", count: SignedVisit.longest + 1),
            signature: String(repeating: "0", count: 128))
        let batch = ForwardedBatch(visits: [long])
        #expect(try await pair.home.post("/v1/partner/visits", token: token, batch).status == 422)
        for time in [.min, .max, now.milliseconds - 40 * 86_400_000, now.milliseconds + 86_400_000] as [Int64] {
            let visit = Samples.visit(from: Timestamp(milliseconds: time))
            let results = try await send([visit]).value(VisitBatchResult.self).results
            #expect(results.count == 1 && results[0].result != .stored, "\(time)")
        }
        #expect(try await pair.home.sightings(of: report, by: owner).isEmpty)
        var visit = Samples.visit(9, from: now)
        visit.count = .max
        #expect(try await send([visit]).value(VisitBatchResult.self).results.map(\.result) == [.stored])
        #expect(try await pair.home.sightings(of: report, by: owner).map(\.count) == [1 << 53])
    }
}
