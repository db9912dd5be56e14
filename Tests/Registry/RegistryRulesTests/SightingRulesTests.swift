import Beacons
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@Suite("Rules of visits")
struct SightingRulesTests {
    private static let now = HandClock().now
    private static let day = 86_400

    @Test(
        "a visit is accepted if its last time is from 30 days ago to 5 minutes ahead",
        arguments: [(0, true), (300, true), (301, false), (-30 * day, true), (-30 * day - 1, false)]
    )
    func window(offset: Int, isAccepted: Bool) {
        let visit = Samples.visit(from: Self.now.advanced(by: .seconds(offset)), lasting: .zero)
        let pointers = SightingRules.refusals(of: visit, now: Self.now).map(\.pointer)
        #expect(pointers == (isAccepted ? [] : ["/lastSeen"]))
    }

    @Test("times in seconds ago are subtracted from the time of arrival, and are uncertain")
    func secondsAgo() {
        var visit = Samples.visit(from: Timestamp(milliseconds: 7), lasting: .seconds(90))
        #expect(SightingRules.dated(visit, received: Self.now) == visit)
        visit.secondsAgo = 30
        let dated = SightingRules.dated(visit, received: Self.now)
        #expect(dated.lastSeen == Self.now.advanced(by: .seconds(-30)))
        #expect(dated.firstSeen == Self.now.advanced(by: .seconds(-120)))
        #expect(dated.timeUncertain == true && dated.secondsAgo == nil)
    }

    @Test("a visit that is too long keeps its end, whether it was reported at once or in parts")
    func length() {
        let (day, longest) = (Duration.days(1), SightingRules.longest)
        let honest = Samples.visit(from: Self.now, lasting: day)
        #expect(SightingRules.dated(honest, received: Self.now) == honest)
        let long = Samples.visit(from: Self.now.advanced(by: day * -20), lasting: day * 20)
        let dated = SightingRules.dated(long, received: Self.now)
        #expect(dated.lastSeen == Self.now && dated.firstSeen == Self.now.advanced(by: .zero - longest))
        let later = Samples.visit(from: Self.now.advanced(by: day * 2))
        let merged = honest.merged(with: later)
        #expect(merged.firstSeen == Self.now && merged.lastSeen == Self.now.advanced(by: longest))
    }

    @Test(
        "an invalid power never replaces a valid one",
        arguments: [(-59, 20, -59), (-128, 0, -128), (-59, -70, -59), (7, 9, 9)])
    func power(one: Int, other: Int, expected: Int) {
        let powers = [one, other].map { power in
            var visit = Samples.visit(from: Self.now)
            visit.measuredPower = power
            return visit
        }
        #expect(powers[0].merged(with: powers[1]).measuredPower == expected)
        #expect(powers[1].merged(with: powers[0]).measuredPower == expected)
    }

    @Test("an answer with a future time counts as given now, so that later answers replace it")
    func futureAnswer() {
        var visit = Samples.visit(from: Self.now)
        visit.confirmation = VisitConfirmation(answer: .seen, time: Self.now.advanced(by: .seconds(9000)))
        #expect(SightingRules.dated(visit, received: Self.now).confirmation?.time == Self.now)
    }

    @Test(
        "times after a visit's arrival become the time of arrival",
        arguments: [(-60, 0, -60), (-60, 200, -60), (100, 200, 0)])
    func clockAhead(first: Int, last: Int, expected: Int) {
        let begin = Self.now.advanced(by: .seconds(first))
        let visit = Samples.visit(from: begin, lasting: .seconds(last - first))
        let past = SightingRules.withoutFuture(visit, received: Self.now)
        #expect(past.firstSeen == Self.now.advanced(by: .seconds(expected)) && past.lastSeen == Self.now)
    }

    @Test("a visit that ends before it begins is refused at its beginning")
    func order() {
        let visit = Samples.visit(from: Self.now, lasting: .milliseconds(-1))
        #expect(SightingRules.refusals(of: visit, now: Self.now).map(\.pointer) == ["/firstSeen"])
    }

    @Test(
        "a bike was missing during a visit if the report's period contains any moment of it",
        arguments: [
            (-10, -1, false), (-10, 0, true), (-10, 200, true), (50, 60, true), (100, 120, true), (101, 120, false),
        ]
    )
    func overlap(first: Int, last: Int, isMissing: Bool) {
        let time = { (offset: Int) in Self.now.advanced(by: .seconds(offset)) }
        let closed = OpenPeriod(missingSince: time(0), closed: time(100))
        #expect(closed.overlaps(first: time(first), last: time(last)) == isMissing)
        let open = OpenPeriod(missingSince: time(0), closed: nil)
        #expect(open.overlaps(first: time(first), last: time(last)) == (last >= 0))
    }
}

@Suite("Periods in which bikes are missing")
struct OpenPeriodTests {
    private static func time(_ offset: Int) -> Timestamp { HandClock().now.advanced(by: .seconds(offset)) }

    @Test("a period ends at the earliest of its ends", arguments: [(nil, nil), (100, nil), (nil, 100), (900, 100)])
    func over(closed: Int?, until: Int?) {
        let period = OpenPeriod(
            missingSince: Self.time(0), closed: closed.map(Self.time), sightingsUntil: until.map(Self.time))
        #expect(!period.isOver(at: Self.time(99)))
        #expect(period.isOver(at: Self.time(100)) == (closed != nil || until != nil))
    }

    /// A report: since, closing, end of its sightings, and whether it has a sighting of the visit.
    typealias Report = (since: Int, closed: Int?, until: Int?, isKnown: Bool)

    private static let usual: [Report] = [(0, 100, nil, false), (150, nil, nil, false)]
    private static let again: [Report] = [(80, 100, nil, false), (50, nil, nil, false)]
    private static let known: [Report] = [(80, 100, nil, true), (50, nil, nil, false)]
    private static let thrice: [Report] = [(0, 100, nil, false), (150, 200, nil, false), (120, nil, nil, false)]
    private static let searched: [Report] = [(0, 100, 80, false), (90, nil, nil, false)]
    private static let knownWhileSearched: [Report] = [(50, 100, 80, true), (60, nil, nil, false)]

    @Test(
        "each moment of a visit belongs to the newest report that covers it, or to one that has the visit already",
        arguments: [
            (Self.usual, 90...160, [0: 90...100, 1: 100...160]), (Self.usual, 90...120, [0: 90...100]),
            (Self.usual, 110...120, [:]),
            (Self.usual, 110...160, [1: 110...160]), (Self.usual, 100...160, [1: 100...160]),
            (Self.usual, 100...100, [0: 100...100]),
            // Reported again, with an earlier “since”: before the first one, in between, and across its closing.
            (Self.again, 60...70, [1: 60...70]), (Self.again, 85...90, [1: 85...90]),
            (Self.again, 85...130, [1: 85...130]),
            (Self.again, 40...90, [1: 40...90]), (Self.again, 40...45, [:]),
            // The first report has the visit.
            (Self.known, 85...90, [0: 85...90]), (Self.known, 85...100, [0: 85...100]),
            (Self.known, 85...130, [0: 85...100, 1: 100...130]),
            (Self.known, 60...70, [0: 60...70]), (Self.known, 110...130, [1: 110...130]),
            (Self.thrice, 110...160, [2: 110...160]), (Self.thrice, 90...160, [0: 90...100, 2: 100...160]),
            (Self.thrice, 105...115, [:]), (Self.thrice, 90...118, [0: 90...100]),
            (Self.searched, 85...95, [1: 85...95]), (Self.searched, 70...95, [0: 70...80, 1: 90...95]),
            // The first report has the visit, and its search had ended before it was closed.
            (Self.knownWhileSearched, 70...95, [0: 70...80, 1: 80...95]),
            (Self.knownWhileSearched, 85...95, [1: 85...95]),
        ] as [([Report], ClosedRange<Int>, [Int: ClosedRange<Int>])])
    func parts(reports: [Report], span: ClosedRange<Int>, expected: [Int: ClosedRange<Int>]) {
        let visit = Samples.visit(
            from: Self.time(span.lowerBound), lasting: .seconds(span.upperBound - span.lowerBound))
        let claims = reports.map { report in
            let period = OpenPeriod(
                missingSince: Self.time(report.since), closed: report.closed.map(Self.time),
                sightingsUntil: report.until.map(Self.time))
            return (period: period, isKnown: report.isKnown)
        }
        let parts = OpenPeriod.parts(of: visit, among: claims)
        #expect(parts.map(\.index) == expected.keys.sorted())
        for part in parts {
            let span = expected[part.index]
            #expect(part.visit.firstSeen == span.map { Self.time($0.lowerBound) })
            #expect(part.visit.lastSeen == span.map { Self.time($0.upperBound) })
        }
    }
}

@Suite("Merging of visits")
struct VisitMergingTests {
    private static func random(_ generator: inout SeededGenerator) -> Visit {
        let first = Timestamp(milliseconds: .random(in: 0...9, using: &generator))
        let places = [
            nil, Place(latitude: 1, longitude: 2), Place(latitude: 1, longitude: 2, accuracy: 5),
            Place(latitude: 3, longitude: 2, accuracy: 5), Place(latitude: 3, longitude: 1, accuracy: 9),
        ]
        let receivers = [nil, "bar", "door"].map { name in
            name.map { VenueReceiver(name: $0, place: places.randomElement(using: &generator) ?? nil) }
        }
        return Visit(
            id: VisitID(high: 1, low: 1), stay: StayID(high: 2, low: 1), identity: Samples.identity(1),
            firstSeen: first,
            lastSeen: first.advanced(by: .milliseconds(Int.random(in: 0...9, using: &generator))),
            count: .random(in: 1...9, using: &generator),
            rssi: [nil, -70, -69].randomElement(using: &generator).flatMap { max in
                max.map { SignalStrength(min: .random(in: -90 ... -80, using: &generator), max: $0) }
            },
            measuredPower: .random(in: -3...2, using: &generator),
            proximity: [.unknown, .far, .near, .immediate].randomElement(using: &generator) ?? .far,
            place: places.randomElement(using: &generator) ?? nil,
            ended: .random(using: &generator),
            timeUncertain: Bool.random(using: &generator) ? true : nil,
            confirmation: Bool.random(using: &generator)
                ? nil
                : VisitConfirmation(
                    answer: Bool.random(using: &generator) ? .seen : .absent,
                    time: Timestamp(milliseconds: .random(in: 0...3, using: &generator))
                ),
            receiver: receivers.randomElement(using: &generator) ?? nil
        )
    }

    @Test("reports of one visit in any order, repeated at will, give one result", arguments: 0..<200 as Range<UInt64>)
    func commutes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let reports = (0..<6).map { _ in Self.random(&generator) }
        let expected = try #require(reports.dropFirst().reduce(reports.first) { $0?.merged(with: $1) })
        for _ in 0..<20 {
            let repeated = (reports + (0..<4).compactMap { _ in reports.randomElement(using: &generator) })
                .shuffled(using: &generator)
            #expect(repeated.dropFirst().reduce(repeated[0]) { $0.merged(with: $1) } == expected)
        }
        let halves = [reports[..<3], reports[3...]].compactMap { half in
            half.dropFirst().reduce(half.first) { $0?.merged(with: $1) }
        }
        #expect(halves[0].merged(with: halves[1]) == expected)
    }

    @Test("the receiver of the strongest frame counts, and an adapter of the station can be the strongest")
    func strongest() {
        func seen(_ receiver: String?, _ strongest: Int?) -> Visit {
            var visit = Samples.visit(from: HandClock().now)
            visit.rssi = strongest.map { SignalStrength(min: -90, max: $0) }
            visit.receiver = receiver.map { VenueReceiver(name: $0) }
            return visit
        }
        let (unheard, bar, door, own) = (seen("yard", nil), seen("bar", -70), seen("door", -60), seen(nil, -50))
        #expect(unheard.merged(with: bar).receiver?.name == "bar")
        #expect(door.merged(with: bar).receiver?.name == "door")
        #expect(door.merged(with: own).receiver == nil)
        #expect(seen(nil, -60).merged(with: door).receiver?.name == "door")
    }

    @Test("times of a synchronised clock replace those of another, in either order")
    func certainty() {
        var uncertain = Samples.visit(from: Timestamp(milliseconds: 0), lasting: .seconds(9000))
        uncertain.timeUncertain = true
        let certain = Samples.visit(from: HandClock().now, lasting: .seconds(60))
        for merged in [certain.merged(with: uncertain), uncertain.merged(with: certain)] {
            #expect(merged.firstSeen == certain.firstSeen && merged.lastSeen == certain.lastSeen)
            #expect(!merged.isTimeUncertain)
        }
    }
}
