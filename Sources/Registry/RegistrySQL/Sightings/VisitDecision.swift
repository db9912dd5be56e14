import RegistryAPI
import RegistryRules

// The decisions about visits are pure functions of what is stored: they can be tested without a database.

/// The decision about a reported visit.
enum VisitDecision {
    /// No bike with this beacon was missing at the visit's time.
    case ignored
    /// The station has sent this visit before with another value in this field.
    case contradicts(field: String)
    /// The station reports the identity on the missing list that no beacon has.
    case canary(Canary)
    /// The visit completes the test that proves that the beacon is the owner's.
    case proved(RunningTest)
    /// The visit completes another test of its beacon.
    case heard
    /// The visit is stored in a part for each report under which its bike was missing, the oldest first.
    case stored([VisitPart])

    init(_ reported: ReportedVisit, _ facts: VisitFacts) {
        let visit = reported.visit
        if facts.known.contains(where: { $0.identity != visit.identity }) {
            self = .contradicts(field: "identity")
        } else if facts.known.contains(where: { $0.stay != visit.stay }) {
            self = .contradicts(field: "stay")
        } else if let test = facts.test, test.isCompleted(by: reported) {
            self = test.isProof ? .proved(test) : .heard
        } else if let canary = facts.canary {
            self = .canary(canary)
        } else {
            let parts = VisitPart.parts(of: visit, facts)
            self = parts.isEmpty ? .ignored : .stored(parts)
        }
    }

    var parts: [VisitPart] { if case .stored(let parts) = self { parts } else { [] } }
}

extension RunningTest {
    /// Whether a visit completes the test: an enrolled station heard the beacon while the test ran.
    ///
    /// Any computer can send any identity. But this one is not sent by chance or for long, and anyone who can make a
    /// station hear it has shown it there. Reports from the original app prove nothing, because their senders are
    /// unknown.
    func isCompleted(by reported: ReportedVisit) -> Bool {
        reported.station.isOwn
            && reported.visit.lastSeen >= begin.advanced(by: .zero - SightingRules.clockTolerance)
    }
}

/// The part of a visit that belongs to one report.
struct VisitPart {
    let visit: Visit
    let bike: MissingBike
    /// The sighting that the visit became before under this report.
    let known: KnownSighting?
    /// Whether it causes alerts if it is new. Only the last part does, so that a visit causes at most one.
    let isTold: Bool

    /// The parts of a visit, the oldest report first.
    static func parts(of visit: Visit, _ facts: VisitFacts) -> [VisitPart] {
        func known(_ bike: MissingBike) -> KnownSighting? { facts.known.first { $0.report == bike.report } }
        let isOneBike = facts.bikes.allSatisfy { $0.key == facts.bikes[0].key }
        // After a beacon has moved, a known sighting belongs to another bike.
        let groups = isOneBike ? [facts.bikes] : Array(Dictionary(grouping: facts.bikes, by: \.key).values)
        let parts = groups.flatMap { bikes in
            OpenPeriod.parts(of: visit, among: bikes.map { ($0.period, known($0) != nil) })
                .map { (bike: bikes[$0.index], visit: $0.visit) }
        }
        .sorted { $0.bike.report < $1.bike.report }.suffix(MissingBike.reportLimit)
        return parts.map { part in
            VisitPart(
                visit: part.visit, bike: part.bike, known: known(part.bike),
                isTold: part.bike.report == parts.last?.bike.report)
        }
    }
}

/// The decision about one part of a visit.
enum SightingDecision {
    /// Everything is known already.
    case keep
    /// The visit has only lasted longer since the last report.
    case grow(KnownSighting, VisitObservation)
    case change(KnownSighting, VisitObservation)
    case add(NewVisit)
}

/// A visit that becomes a new sighting, with the judgement that follows from the visit itself.
struct NewVisit {
    let observation: VisitObservation
    let evidence: SightingEvidence
    let reasons: Set<SightingReason>
    let surroundings: Surroundings
    /// The hour in which the station now reports too many bikes for the first time.
    let fullHour: ReportingHours.Hour?

    /// The first of the stays that the visit continues; nil if there is none.
    func continues(_ stay: StayID) -> StayID? { surroundings.continued.map(\.stay).flatMap { $0 == stay ? nil : $0 } }
}

extension VisitPart {
    /// - Parameters:
    ///   - surroundings: the sightings around the visit if it is new.
    ///   - hours: the counts of the stations' hours, to which a new visit is added.
    func decision(
        for reported: ReportedVisit, _ surroundings: Surroundings, _ hours: inout ReportingHours
    ) throws -> SightingDecision {
        guard let known else { return .add(try addition(for: reported, surroundings, &hours)) }
        let before = known.observation
        let after = merged(before, at: reported.time)
        if after == before { return .keep }
        return known.entry != nil && after.isGrowth(of: before) && !after.ended
            ? .grow(known, after) : .change(known, after)
    }

    /// The merged observation after a further report of the visit. After the report's period, only the end of the visit
    /// is taken over.
    private func merged(_ before: VisitObservation, at time: Timestamp) -> VisitObservation {
        let after = before.merged(with: VisitObservation(visit))
        guard bike.period.isOver(at: time), after.firstSeen == before.firstSeen, after.lastSeen == before.lastSeen
        else { return after }
        var ended = before
        ended.ended = after.ended
        return ended
    }

    private func addition(
        for reported: ReportedVisit, _ surroundings: Surroundings, _ hours: inout ReportingHours
    ) throws -> NewVisit {
        let hour = ReportingHours.Hour(station: reported.station.key, of: visit.firstSeen)
        let isFirstTooMany = isTold && !surroundings.wasHeard && hours.count(in: hour)
        let observation = VisitObservation(visit)
        let evidence = try reported.station.evidence(
            visit.id, observation, reportsEverything: hours.reportsEverything(in: hour), slot: bike.slot)
        return NewVisit(
            observation: observation, evidence: evidence, reasons: Plausibility.reasons(of: [evidence])[0],
            surroundings: surroundings, fullHour: isFirstTooMany ? hour : nil)
    }
}
