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
