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
            period: OpenPeriod(missingSince: since ?? now.advanced(by: .seconds(-86_400)), closed: closed),
            isShared: true, toldLast: nil)
    }

    private static func known(_ visit: Visit = visit, report: Int64 = 1, entry: Int64? = 7) -> KnownSighting {
        KnownSighting(
            key: 5, report: report, identity: visit.identity, stay: visit.stay, continues: nil, slot: nil,
            received: now,
            observation: VisitObservation(visit), salt: nil, entry: entry, row: StoredRow(names: [], values: []))
    }

    private static func test(begin: Timestamp, isProof: Bool = true) -> RunningTest {
        RunningTest(
            isProof: isProof, bike: 1, bikeID: BikeID(high: 1, low: 1), owner: 1, ownerID: OwnerID(high: 1, low: 1),
            begin: begin)
    }

    @Test("without a missing bike a visit is ignored, unless it completes a test of its beacon")
    func withoutBike() {
        #expect(VisitDecision(Self.reported(), VisitFacts()).name == "ignored")
        let test = Self.test(begin: Self.now.advanced(by: .seconds(-300)))
        #expect(VisitDecision(Self.reported(), VisitFacts(test: test)).name == "proved")
        let other = Self.test(begin: Self.now.advanced(by: .seconds(-300)), isProof: false)
        #expect(VisitDecision(Self.reported(), VisitFacts(test: other)).name == "heard")
        #expect(VisitDecision(Self.reported(app: true), VisitFacts(test: test)).name == "ignored")
        let later = Self.test(begin: Self.now.advanced(by: .seconds(301)))
        #expect(VisitDecision(Self.reported(), VisitFacts(test: later)).name == "ignored")
    }

    @Test("a visit that was reported before contradicts another beacon or stay")
    func contradictions() {
        var visit = Self.visit
        visit.identity = Samples.identity(2)
        let facts = VisitFacts(known: [Self.known()], bikes: [Self.bike()])
        #expect(VisitDecision(Self.reported(visit), facts).name == "contradicts identity")
        visit = Self.visit
        visit.stay = StayID(high: 9, low: 9)
        #expect(VisitDecision(Self.reported(visit), facts).name == "contradicts stay")
        #expect(VisitDecision(Self.reported(), facts).name == "stored")
    }

    @Test("a visit that spans a closure has a part in each report, and only the last one causes alerts")
    func parts() {
        let closed = Self.now.advanced(by: .seconds(-30))
        let bikes = [Self.bike(closed: closed), Self.bike(report: 2, since: closed)]
        let parts = VisitDecision(Self.reported(), VisitFacts(bikes: bikes)).parts
        #expect(parts.map(\.bike.report) == [1, 2])
        #expect(parts.map(\.isTold) == [false, true])
        #expect(parts.map(\.visit.firstSeen) == [Self.visit.firstSeen, closed])
        #expect(parts.map(\.visit.lastSeen) == [closed, Self.visit.lastSeen])
    }

    @Test("the newest report that covers a visit gets it, unless an earlier one has it already")
    func newest() {
        let closed = Self.now.advanced(by: .seconds(-10))
        let bikes = [Self.bike(closed: closed), Self.bike(report: 2)]
        let late = VisitDecision(Self.reported(), VisitFacts(bikes: bikes)).parts
        #expect(late.map(\.bike.report) == [2] && late.map(\.isTold) == [true] && late[0].visit == Self.visit)
        var visit = Self.visit
        for (last, expected) in [(closed.advanced(by: .seconds(-9)), [1]), (closed, [1]), (Self.now, [1, 2])]
            as [(Timestamp, [Int64])]
        {
            visit.lastSeen = last
            let parts = VisitDecision(Self.reported(visit), VisitFacts(known: [Self.known()], bikes: bikes)).parts
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
        let parts = VisitDecision(
            Self.reported(), VisitFacts(known: [Self.known()], bikes: [Self.bike(), other])
        ).parts
        #expect(parts.map(\.bike.report) == [1, 2] && parts.allSatisfy { $0.visit == Self.visit })
    }

    /// The decision about the only part of a visit.
    private func decision(
        _ visit: Visit, _ facts: VisitFacts, _ surroundings: Surroundings = Surroundings(),
        _ hours: ReportingHours = ReportingHours(), at time: Timestamp = now
    ) throws -> SightingDecision {
        var hours = hours
        let reported = Self.reported(visit, at: time)
        let part = try #require(VisitDecision(reported, facts).parts.first)
        return try part.decision(for: reported, surroundings, &hours)
    }

    @Test("a repeated visit is kept, grows or changes")
    func repeated() throws {
        let facts = VisitFacts(known: [Self.known()], bikes: [Self.bike()])
        #expect(try decision(Self.visit, facts).name == "keep")
        var visit = Self.visit
        visit.lastSeen = Self.now.advanced(by: .seconds(30))
        #expect(try decision(visit, facts).name == "grow")
        let unrecorded = VisitFacts(known: [Self.known(entry: nil)], bikes: [Self.bike()])
        #expect(try decision(visit, unrecorded).name == "change")
        visit.ended = true
        #expect(try decision(visit, facts).name == "change")
    }

    @Test("after the report's period only the end of a visit is taken over")
    func afterwards() throws {
        let facts = VisitFacts(known: [Self.known()], bikes: [Self.bike(closed: Self.visit.lastSeen)])
        var visit = Self.visit
        visit.count = 900
        #expect(try decision(visit, facts, at: Self.now.advanced(by: .seconds(9))).name == "keep")
        visit.ended = true
        let after = try #require(try decision(visit, facts, at: Self.now.advanced(by: .seconds(9))).changed)
        #expect(after.ended && after.count == Self.visit.count)
    }

    @Test("a station's share of missing bikes counts each bike once an hour, and marks the one that is too many")
    func share() throws {
        let hour = ReportingHours.Hour(station: 1, of: Self.visit.firstSeen)
        let facts = VisitFacts(bikes: [Self.bike()])
        for (reports, wasHeard, isFull, isMarked) in [
            (9, false, false, false), (10, false, true, true), (10, true, false, false),
        ] {
            let hours = ReportingHours([hour: .init(reports: reports)], missing: 20)
            let new = try #require(
                try decision(Self.visit, facts, Surroundings(wasHeard: wasHeard), hours).added)
            #expect((new.fullHour != nil) == isFull)
            #expect(new.reasons.contains(.reportsEverything) == isMarked)
        }
        let full = ReportingHours([hour: .init(reports: 300, reportsEverything: true)])
        let new = try #require(try decision(Self.visit, facts, Surroundings(), full).added)
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
    fileprivate var added: NewVisit? { if case .add(let visit) = self { visit } else { nil } }

    fileprivate var changed: VisitObservation? { if case .change(_, let after) = self { after } else { nil } }

    fileprivate var name: String {
        switch self {
        case .keep: "keep"
        case .grow: "grow"
        case .change: "change"
        case .add: "add"
        }
    }
}
