import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryRules

@Suite("Rules of alerts")
struct AlertRulesTests {
    private static let now = HandClock().now
    private static let here = Place(latitude: 51.5, longitude: -0.12, accuracy: 10)

    /// The place this many metres to the north.
    private static func north(_ metres: Double) -> Place {
        Place(latitude: here.latitude + metres / 111_195, longitude: here.longitude, accuracy: 10)
    }

    private static func ago(_ seconds: Int) -> Timestamp { now.advanced(by: .seconds(-seconds)) }

    /// A sighting here, last heard `heard` seconds ago, after the last alert and a number of alerts about its station.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var place = here
        var heard = 0
        var isDoubtful = false
        var last: AlertRules.EarlierAlert?
        var station: AlertRules.StationShare?
        var decision: AlertRules.Decision

        /// An alert about a visit of a minute, this many metres to the north, that ended this many seconds ago.
        fileprivate static func earlier(
            _ metres: Double = 0, _ seconds: Int = 60, isDoubtful: Bool = false
        ) -> AlertRules.EarlierAlert {
            AlertRules.EarlierAlert(
                place: north(metres), firstSeen: ago(seconds + 60), lastSeen: ago(seconds), isDoubtful: isDoubtful)
        }

        /// This many alerts of the station since so many seconds ago.
        fileprivate static func share(_ count: Int, since seconds: Int = 1800) -> AlertRules.StationShare {
            AlertRules.StationShare(since: ago(seconds), count: count)
        }

        static let all = [
            Case(testDescription: "the first sighting alerts immediately", decision: .alert(isUrgent: true)),
            Case(
                testDescription: "a station new to the report alerts, however near and soon", last: earlier(),
                decision: .alert(isUrgent: true)),
            Case(
                testDescription: "the same place again within ten minutes joins", last: earlier(), station: share(1),
                decision: .joins(thread: 0)),
            Case(
                testDescription: "ten minutes are the limit", last: earlier(0, 630), station: share(1),
                decision: .joins(thread: 0)),
            Case(
                testDescription: "after ten minutes it alerts again", last: earlier(0, 631), station: share(1),
                decision: .alert(isUrgent: true)),
            Case(
                testDescription: "a visit that is reported late joins what was before it", heard: 300,
                last: earlier(0, 0), station: share(1), decision: .joins(thread: 0)),
            Case(
                testDescription: "under 500 m it is the same place", last: earlier(490), station: share(1),
                decision: .joins(thread: 0)),
            Case(
                testDescription: "over 500 m it is another place", last: earlier(510), station: share(1),
                decision: .alert(isUrgent: true)),
            Case(
                testDescription: "an undoubted sighting does not join a doubtful one", last: earlier(isDoubtful: true),
                station: share(1), decision: .alert(isUrgent: true)),
            Case(
                testDescription: "doubt joins doubt", isDoubtful: true, last: earlier(isDoubtful: true),
                station: share(1), decision: .joins(thread: 0)),
            Case(
                testDescription: "an hour is not late", heard: 3600, decision: .alert(isUrgent: true)),
            Case(
                testDescription: "over an hour is late, and wakes nobody", heard: 3601,
                decision: .alert(isUrgent: false)),
            Case(
                testDescription: "a station with its share used up gets a digest, when its hour is over",
                last: earlier(0, 900), station: share(AlertRules.stationShare),
                decision: .digest(at: now.advanced(by: .seconds(1800)))),
            Case(
                testDescription: "that goes for a station that says another place each time, too",
                last: earlier(5000), station: share(AlertRules.stationShare),
                decision: .digest(at: now.advanced(by: .seconds(1800)))),
            Case(
                testDescription: "one alert less, and it alerts", last: earlier(0, 900),
                station: share(AlertRules.stationShare - 1), decision: .alert(isUrgent: true)),
            Case(
                testDescription: "after its hour it alerts again", last: earlier(0, 900),
                station: share(99, since: 3600), decision: .alert(isUrgent: true)),
            Case(
                testDescription: "a clock that was set back opens a new hour", last: earlier(0, 900),
                station: share(99, since: -60), decision: .alert(isUrgent: true)),
        ]
    }

    @Test("a sighting causes an alert, joins one or is held back", arguments: Case.all)
    func decision(_ test: Case) {
        let decision = AlertRules.decision(
            at: test.place, firstSeen: Self.ago(test.heard + 30), lastSeen: Self.ago(test.heard), received: Self.now,
            isDoubtful: test.isDoubtful, after: AlertRules.History(last: test.last, station: test.station)
        )
        #expect(decision == test.decision)
    }

    @Test("alerts about one station never hold back those about another")
    func shares() {
        let flooded = AlertRules.EarlierAlert(place: Self.north(9000), firstSeen: Self.ago(30), lastSeen: Self.ago(20))
        let own = AlertRules.StationShare(since: Self.ago(60), count: 1)
        let decision = AlertRules.decision(
            at: Self.here, firstSeen: Self.ago(10), lastSeen: Self.now, received: Self.now,
            after: AlertRules.History(last: flooded, station: own)
        )
        #expect(decision == .alert(isUrgent: true))
    }

    @Test(
        "a higher or disputed level is announced once; its loss is not announced",
        arguments: [
            (SightingLevel.corroborated, [SightingLevel.possible], true), (.disputed, [.possible], true),
            (.disputed, [.possible, .corroborated], true), (.corroborated, [.corroborated], false),
            (.possible, [.corroborated], false), (.possible, [.disputed], false), (.corroborated, [], false),
        ] as [(SightingLevel, [SightingLevel], Bool)]
    )
    func news(level: SightingLevel, announced: [SightingLevel], isNews: Bool) {
        #expect(AlertRules.isNews(level, after: announced) == isNews)
    }

    @Test("a channel gets an alert now, after its wait, or when the quiet hours end")
    func delivery() {
        let (now, morning) = (Self.now, Self.now.advanced(by: .seconds(30_000)))
        let alert = AlertRules.Decision.alert(isUrgent: true)
        let never: (Timestamp) -> Timestamp? = { _ in nil }
        #expect(AlertRules.delivery(of: alert, at: now, wait: nil, quiet: never) == .alone(at: now))
        let later = now.advanced(by: .seconds(900))
        #expect(AlertRules.delivery(of: alert, at: now, wait: 15, quiet: never) == .alone(at: later))
        #expect(AlertRules.delivery(of: alert, at: now, wait: nil) { _ in morning } == .digest(at: morning))
        // Quiet hours are checked for the end of the wait.
        let soon: (Timestamp) -> Timestamp? = { $0 > now ? morning : nil }
        #expect(AlertRules.delivery(of: alert, at: now, wait: 15, quiet: soon) == .digest(at: morning))
        #expect(AlertRules.delivery(of: .digest(at: later), at: now, wait: nil, quiet: never) == .digest(at: later))
        #expect(AlertRules.delivery(of: .joins(thread: 0), at: now, wait: nil, quiet: never) == nil)
    }
}
