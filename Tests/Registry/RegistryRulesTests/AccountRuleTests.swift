import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryRules

@Suite("Rules of accounts")
struct AccountRuleTests {
    private let now = HandClock().now

    @Test("the use of a token is recorded once an hour, and only for an owner's token")
    func lastUse() {
        let id = TokenID(high: 1, low: 1)
        let owner = Principal.owner(OwnerID(high: 2, low: 1))
        #expect(Credential(owner, token: id).tokenToNote(at: now) == id)
        let used = Credential(owner, token: id, lastUsed: now)
        #expect(used.tokenToNote(at: now.advanced(by: .seconds(3599))) == nil)
        #expect(used.tokenToNote(at: now.advanced(by: .seconds(3600))) == id)
        #expect(Credential(.station(StationID(high: 3, low: 1))).tokenToNote(at: now) == nil)
    }

    @Test("the sixth attempt must wait until the first is a day old")
    func attempts() {
        let limit = AttemptLimit.mailboxQuestions
        let earlier = (0..<5).map { now.advanced(by: .seconds($0 * 600)) }
        let later = now.advanced(by: .seconds(3600))
        #expect(limit.wait(earlier: Array(earlier.prefix(4)), now: later) == nil)
        #expect(limit.wait(earlier: earlier, now: later) == .seconds(23 * 3600))
        // More attempts than the limit, since it was once higher. The fifth latest counts.
        #expect(limit.wait(earlier: [now] + earlier.map { $0.advanced(by: .seconds(60)) }, now: later) != nil)
    }

    @Test(
        "a report without a police reference yields sightings for 7 days, whether it is closed or not",
        arguments: [(6, true), (7, true), (8, false)]
    )
    func yields(day: Int, counts: Bool) {
        let left = SearchDays().left(on: SearchBasis(policeReference: "  ", isConfirmed: true))
        let until = left.map { now.advanced(by: $0) }
        let time = now.advanced(by: .days(day))
        for closed in [nil, now.advanced(by: .days(30))] {
            let period = OpenPeriod(missingSince: now, closed: closed, sightingsUntil: until)
            #expect(period.overlaps(first: time, last: time) == counts)
        }
        #expect(SearchDays().left(on: SearchBasis(policeReference: "R", isConfirmed: true)) == nil)
    }

    @Test("a new beacon has one day on any basis but a confirmed reference")
    func newBeacon() {
        let hours = { Duration.seconds($0 * 3600) }
        let used = SearchDays(onWord: hours(10), onReference: hours(5))
        #expect(used.left(on: .word, isNew: true) == hours(9) && used.left(on: .reference, isNew: true) == hours(9))
        #expect(SearchDays(onWord: hours(30)).left(on: .reference, isNew: true) == .zero)
        #expect(used.left(on: .confirmation, isNew: true) == nil)
        #expect(used.left(on: .word) == hours(7 * 24 - 10))
    }

    @Test("each scope includes the ones before it")
    func scopes() {
        #expect(TokenScope.read < .report && TokenScope.report < .manage)
        #expect(TokenScope.allCases.sorted() == TokenScope.allCases)
    }
}
