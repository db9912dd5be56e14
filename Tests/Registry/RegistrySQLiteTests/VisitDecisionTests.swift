import Beacons
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistrySQL

@Suite("Decisions about visits")
struct VisitDecisionTests {
    private static let now = Timestamp(milliseconds: 1_795_000_000_000)
    private static let visit = Samples.visit(from: now.advanced(by: .seconds(-60)))

    private static func reported(_ visit: Visit = visit, app: Bool = false, at time: Timestamp = now) -> ReportedVisit {
        let station = RecordingStation(
            key: 1, id: StationID(high: 1, low: 1), venue: "Café", isMobile: false, isApp: app,
            places: [(since: 0, place: Samples.place)])
        return ReportedVisit(visit: visit, station: station, time: time, entropy: .seeded(1))
    }

    /// The bike with a report, from a day ago if no other time is given.
    private static func bike(report: Int64 = 1, closed: Timestamp? = nil, since: Timestamp? = nil) -> MissingBike {
        MissingBike(
            key: 1, report: report, ownerID: OwnerID(high: 1, low: 1), bikeID: BikeID(high: 1, low: 1),
            reportID: ReportID(high: 1, low: UInt64(report)), appearance: nil,
            period: OpenPeriod(missingSince: since ?? now.advanced(by: .days(-1)), closed: closed),
            isShared: true, toldLast: nil)
    }

    private static func known(_ visit: Visit = visit, report: Int64 = 1, entry: Int64? = 7) -> KnownSighting {
        KnownSighting(
            key: 5, report: report, visit: visit, continues: nil, slot: nil, received: now, salt: nil, entry: entry,
            recorded: nil, grown: nil)
    }

    /// The facts of a visit, whose parts follow from the bikes and the known sightings.
    private static func facts(
        _ visit: Visit = visit, known: [KnownSighting] = [], bikes: [MissingBike]
    ) -> VisitFacts {
        VisitFacts(known: known, parts: VisitPart.parts(of: reported(visit), among: bikes, known))
    }

    private static func decision(
        on facts: VisitFacts, about visit: Visit = visit, app: Bool = false
    ) throws -> VisitDecision {
        var hours = ReportingHours()
        return try VisitDecision(reported(visit, app: app), facts, &hours)
    }

    private static func test(begin: Timestamp, isProof: Bool = true) -> RunningTest {
        RunningTest(
            isProof: isProof, bike: 1, bikeID: BikeID(high: 1, low: 1), owner: 1, ownerID: OwnerID(high: 1, low: 1),
            begin: begin)
    }

    @Test("without a missing bike a visit is ignored, unless it completes a test of its beacon")
    func withoutBike() throws {
        #expect(try Self.decision(on: VisitFacts()).name == "ignored")
        let test = Self.test(begin: Self.now.advanced(by: .seconds(-300)))
        #expect(try Self.decision(on: VisitFacts(test: test)).name == "proved")
        let other = Self.test(begin: Self.now.advanced(by: .seconds(-300)), isProof: false)
        #expect(try Self.decision(on: VisitFacts(test: other)).name == "heard")
        #expect(try Self.decision(on: VisitFacts(test: test), app: true).name == "ignored")
        let later = Self.test(begin: Self.now.advanced(by: .seconds(301)))
        #expect(try Self.decision(on: VisitFacts(test: later)).name == "ignored")
    }

    @Test("a visit that was reported before contradicts another beacon or stay")
    func contradictions() throws {
        var visit = Self.visit
        visit.identity = Samples.identity(2)
        let facts = Self.facts(known: [Self.known()], bikes: [Self.bike()])
        #expect(try Self.decision(on: facts, about: visit).name == "contradicts identity")
        visit = Self.visit
        visit.stay = StayID(high: 9, low: 9)
        #expect(try Self.decision(on: facts, about: visit).name == "contradicts stay")
        #expect(try Self.decision(on: facts).name == "stored")
    }

    @Test("a visit that spans a closure has a part in each report, and only the last one causes alerts")
    func parts() {
        let closed = Self.now.advanced(by: .seconds(-30))
        let bikes = [Self.bike(closed: closed), Self.bike(report: 2, since: closed)]
        let parts = Self.facts(bikes: bikes).parts
        #expect(parts.map(\.bike.report) == [1, 2])
        #expect(parts.map(\.causesAlerts) == [false, true])
        #expect(parts.map(\.visit.firstSeen) == [Self.visit.firstSeen, closed])
        #expect(parts.map(\.visit.lastSeen) == [closed, Self.visit.lastSeen])
    }

    @Test("the newest report that covers a visit gets it, unless an earlier one has it already")
    func newest() {
        let closed = Self.now.advanced(by: .seconds(-10))
        let bikes = [Self.bike(closed: closed), Self.bike(report: 2)]
        let late = Self.facts(bikes: bikes).parts
        #expect(late.map(\.bike.report) == [2] && late.map(\.causesAlerts) == [true] && late[0].visit == Self.visit)
        var visit = Self.visit
        for (last, expected) in [(closed.advanced(by: .seconds(-9)), [1]), (closed, [1]), (Self.now, [1, 2])]
            as [(Timestamp, [Int64])]
        {
            visit.lastSeen = last
            let parts = Self.facts(visit, known: [Self.known()], bikes: bikes).parts
            #expect(parts.map(\.bike.report) == expected, "\(last)")
            #expect(parts.map { $0.known != nil } == expected.map { $0 == 1 })
            if parts.count == 2 { #expect(parts[0].visit.lastSeen == closed && parts[1].visit.firstSeen == closed) }
        }
    }

    @Test("a known sighting of another bike keeps nothing from the one that has the beacon now")
    func otherBike() {
        let other = MissingBike(
            key: 2, report: 2, ownerID: OwnerID(high: 1, low: 1), bikeID: BikeID(high: 1, low: 2),
            reportID: ReportID(high: 1, low: 2), appearance: nil, period: Self.bike().period, isShared: true,
            toldLast: nil)
        let parts = Self.facts(known: [Self.known()], bikes: [Self.bike(), other]).parts
        #expect(parts.map(\.bike.report) == [1, 2] && parts.allSatisfy { $0.visit == Self.visit })
    }

    /// The decision about the only part of a visit.
    private func decision(
        _ visit: Visit, known: [KnownSighting] = [], bike: MissingBike = bike(),
        _ surroundings: Surroundings = Surroundings(), _ hours: ReportingHours = ReportingHours(),
        at time: Timestamp = now
    ) throws -> SightingDecision {
        var hours = hours
        var part = try #require(Self.facts(visit, known: known, bikes: [bike]).parts.first)
        part.surroundings = surroundings
        return try SightingDecision(part, of: Self.reported(visit, at: time), &hours)
    }

    @Test("a repeated visit is kept, grows or changes")
    func repeated() throws {
        #expect(try decision(Self.visit, known: [Self.known()]).name == "keep")
        var visit = Self.visit
        visit.lastSeen = Self.now.advanced(by: .seconds(30))
        #expect(try decision(visit, known: [Self.known()]).name == "grow")
        #expect(try decision(visit, known: [Self.known(entry: nil)]).name == "change")
        visit.ended = true
        #expect(try decision(visit, known: [Self.known()]).name == "change")
    }

    @Test("after the report's period only the end of a visit is taken over")
    func afterwards() throws {
        let closed = Self.bike(closed: Self.visit.lastSeen)
        let later = Self.now.advanced(by: .seconds(9))
        var visit = Self.visit
        visit.count = 900
        #expect(try decision(visit, known: [Self.known()], bike: closed, at: later).name == "keep")
        visit.ended = true
        let after = try #require(try decision(visit, known: [Self.known()], bike: closed, at: later).changed)
        #expect(after.ended && after.count == Self.visit.count)
    }

    @Test("a station's share of missing bikes counts each bike once an hour, and marks the one that is too many")
    func share() throws {
        let hour = ReportingHours.Hour(station: 1, of: Self.visit.firstSeen)
        for (reports, wasHeard, isFull, isMarked) in [
            (9, false, false, false), (10, false, true, true), (10, true, false, false),
        ] {
            let hours = ReportingHours([hour: .init(reports: reports)], missing: 20)
            let new = try #require(try decision(Self.visit, Surroundings(wasHeard: wasHeard), hours).added)
            #expect((new.fullHour != nil) == isFull)
            #expect(new.reasons.contains(.reportsEverything) == isMarked)
        }
        let full = ReportingHours([hour: .init(reports: 300, reportsEverything: true)])
        let new = try #require(try decision(Self.visit, Surroundings(), full).added)
        #expect(new.fullHour == nil && new.reasons == [.reportsEverything])
    }
}

extension VisitDecision {
    fileprivate var name: String {
        switch self {
        case .ignored: "ignored"
        case .contradicts(let field): "contradicts \(field)"
        case .proved: "proved"
        case .heard: "heard"
        case .canary: "canary"
        case .stored: "stored"
        }
    }
}

extension SightingDecision {
    fileprivate var added: NewSighting? { if case .add(let visit) = self { visit } else { nil } }

    fileprivate var changed: Visit? { if case .change(_, let after) = self { after } else { nil } }

    fileprivate var name: String {
        switch self {
        case .keep: "keep"
        case .grow: "grow"
        case .change: "change"
        case .add: "add"
        }
    }
}
