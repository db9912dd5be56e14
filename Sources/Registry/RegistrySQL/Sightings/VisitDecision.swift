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
    case canary(isRepeated: Bool)
    /// The visit completes the test that proves that the beacon is the owner's.
    case proved(RunningTest)
    /// The visit completes another test of its beacon.
    case heard
    /// The visit is stored in a part for each report under which its bike was missing, the oldest first.
    case stored([(part: VisitPart, decision: SightingDecision)])

    /// - Parameter hours: the counts of the stations' hours, to which a new visit is added.
    init(_ reported: ReportedVisit, _ facts: VisitFacts, _ hours: inout ReportingHours) throws {
        let visit = reported.visit
        if facts.known.contains(where: { $0.visit.identity != visit.identity }) {
            self = .contradicts(field: "identity")
        } else if facts.known.contains(where: { $0.visit.stay != visit.stay }) {
            self = .contradicts(field: "stay")
        } else if let test = facts.test, test.isCompleted(by: reported) {
            self = test.isProof ? .proved(test) : .heard
        } else if let isRepeated = facts.isRepeatedCanary {
            self = .canary(isRepeated: isRepeated)
        } else if facts.parts.isEmpty {
            self = .ignored
        } else {
            self = .stored(
                try facts.parts.map { (part: $0, decision: try SightingDecision($0, of: reported, &hours)) })
        }
    }

    /// The number of parts in which the visit is stored.
    var partCount: Int { if case .stored(let parts) = self { parts.count } else { 0 } }
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

/// The decision about one part of a visit.
enum SightingDecision {
    /// Everything is known already.
    case keep
    /// The visit has only lasted longer since the last report.
    case grow(KnownSighting, to: Visit)
    /// The visit ended, or something else about it changed.
    case change(KnownSighting, to: Visit)
    /// The visit was not known under this report.
    case add(NewSighting)

    init(_ part: VisitPart, of reported: ReportedVisit, _ hours: inout ReportingHours) throws {
        guard let known = part.known else {
            self = .add(try NewSighting(part, of: reported, &hours))
            return
        }
        let (before, after) = (known.visit, part.merged(into: known.visit, at: reported.time))
        if after == before {
            self = .keep
        } else if known.entry != nil && after.isGrowth(of: before) && !after.ended {
            self = .grow(known, to: after)
        } else {
            self = .change(known, to: after)
        }
    }
}

extension VisitPart {
    /// The stored visit after a further report of it. After the report's period, only the end of the visit is taken
    /// over.
    fileprivate func merged(into before: Visit, at time: Timestamp) -> Visit {
        let after = before.merged(with: visit)
        guard bike.period.isOver(at: time), after.firstSeen == before.firstSeen, after.lastSeen == before.lastSeen
        else { return after }
        var ended = before
        ended.ended = after.ended
        return ended
    }
}

/// A part of a visit that becomes a new sighting, with the judgement that follows from the visit itself.
struct NewSighting {
    let evidence: SightingEvidence
    let reasons: Set<SightingReason>
    /// The hour in which the station now reports too many bikes for the first time.
    let fullHour: ReportingHours.Hour?

    fileprivate init(_ part: VisitPart, of reported: ReportedVisit, _ hours: inout ReportingHours) throws {
        fullHour = part.isCounted && hours.isFirstTooMany(addedIn: part.hour) ? part.hour : nil
        evidence = try reported.station.evidence(
            part.visit, reportsEverything: hours.reportsEverything(in: part.hour), slot: part.bike.slot)
        reasons = Plausibility.reasons(of: evidence)
    }
}

extension RecordingStation {
    /// A visit as evidence, independent of other stations.
    func evidence(_ visit: Visit, reportsEverything: Bool, slot: HeardSlot?) throws -> SightingEvidence {
        let time = max(visit.lastSeen.milliseconds, 0)
        guard let stood = places.first(where: { $0.since <= time })?.place else { throw CorruptRow(column: "since") }
        var marks: SightingEvidence.Marks = []
        if isApp { marks.insert(.unverified) }
        if reportsEverything { marks.insert(.reportsEverything) }
        return SightingEvidence(
            visit, at: id, venue: venue, standing: stood, isMobile: isMobile, marks: marks, slot: slot)
    }
}
