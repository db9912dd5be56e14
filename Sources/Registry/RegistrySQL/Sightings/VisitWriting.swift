import Evidence
import Foundation
import RegistryAPI
import RegistryRules

/// Writes the decisions of a plan: first all new sightings; then, in the order of the visits, the changes of known
/// sightings and the judgements; then the alerts.
struct VisitWriting {
    private let db: any Transaction
    private let plan: VisitPlan
    private var salts: ArraySlice<[UInt8]>

    init(_ db: any Transaction, _ plan: VisitPlan) {
        self.db = db
        self.plan = plan
        salts = AuditTrail.newSalts(plan.steps.reduce(0) { $0 + $1.parts.count })[...]
    }

    /// The salt of a sighting's record and the index of the entry that commits to it.
    private struct Commitment {
        let salt: [UInt8]
        let entry: Int64
    }

    /// A part of a visit, while it is written.
    private struct Work {
        let part: VisitPart
        let decision: SightingDecision
        /// Nil for a part that is not recorded now, and for a sighting that was changed by another program.
        var commitment: Commitment?
        /// The key of a new sighting.
        var key: Int64?
    }

    /// - Parameter entries: the audit's entries, which the caller appends when all sets are written.
    mutating func write(_ entries: inout PendingEntries) throws -> [RecordedVisit] {
        var works = try plan.steps.map { try prepare($0, &entries) }
        try insert(&works)
        try plan.hours.store(db)
        var candidates: [(place: Int, alerts: AlertCandidate)] = []
        var recorded: [RecordedVisit] = []
        for (step, works) in zip(plan.steps, works) {
            var candidate: AlertCandidate?
            let visit = try settle(step, works, &candidate)
            if let candidate { candidates.append((recorded.count, candidate)) }
            recorded.append(visit)
        }
        var alerts = SightingAlerts(db)
        for (count, (place, _)) in zip(try alerts.queue(candidates.map(\.alerts)), candidates) {
            recorded[place].add(alerts: count)
        }
        return recorded
    }

    /// Makes the audit's entries for a visit.
    private mutating func prepare(_ step: VisitPlan.Step, _ entries: inout PendingEntries) throws -> [Work] {
        let reported = step.reported
        if case .proved(let test) = step.decision {
            _ = entries.append(
                AuditEvent(
                    .beaconProved, by: .station(reported.station.id), at: reported.time, owner: test.ownerID,
                    bike: test.bikeID, station: reported.station.id))
        }
        if case .canary(let canary) = step.decision, !canary.wasReported {
            _ = entries.append(
                AuditEvent(
                    .canaryReported, by: .station(reported.station.id), at: reported.time,
                    station: reported.station.id))
        }
        return try step.parts.map { part, decision in
            var work = Work(part: part, decision: decision)
            switch decision {
            case .keep, .grow: break
            case .add(let new):
                work.commitment = commitment(
                    .sightingStored, part, reported, received: reported.time, new.observation, &entries)
            case .change(let known, let after):
                if try !isChanged(known, by: reported, part.bike, before: entries) {
                    work.commitment = commitment(
                        .sightingChanged, part, reported, received: known.received, after, salt: known.salt, &entries)
                }
            }
            return work
        }
    }

    /// Stores the new sightings, and notes their keys.
    private func insert(_ works: inout [[Work]]) throws {
        var rows: Parameters = []
        for (step, works) in zip(plan.steps, works) {
            for work in works {
                guard case .add(let new) = work.decision, let commitment = work.commitment else { continue }
                append(work.part, new, commitment, step.reported, to: &rows)
            }
        }
        var keys = try db.insert(Self.insertion, rows).makeIterator()
        for step in works.indices {
            for part in works[step].indices {
                if case .add = works[step][part].decision { works[step][part].key = keys.next() }
            }
        }
    }

    /// Takes the steps that follow the storing of a visit's new sightings.
    private func settle(
        _ step: VisitPlan.Step, _ works: [Work], _ candidate: inout AlertCandidate?
    ) throws -> RecordedVisit {
        switch step.decision {
        case .ignored: return .ignored
        case .contradicts(let field): return .contradicts(field: field)
        case .canary:
            try Canaries(db).note(by: step.reported.station.key, at: step.reported.time)
            return .canary
        case .proved(let test):
            try end(test, step.reported)
            return .proved
        case .heard:
            try BeaconTests(db).complete(of: step.reported.visit.identity, at: step.reported.time)
            return .ignored
        case .stored: break
        }
        var recorded = RecordedVisit.ignored
        var changed: Set<ReportID> = []
        var alerts = 0
        for work in works {
            let part = work.part
            var isNew = false
            var continues = part.known?.continues
            switch work.decision {
            case .keep: break
            case .grow(let known, let after):
                try grow(known, to: after, at: step.reported.time)
                alerts += try judge(known, after, at: step.reported.time)
                changed.insert(part.bike.reportID)
            case .change(let known, let after):
                try change(known, to: after, work.commitment)
                alerts += try judge(known, after, at: step.reported.time)
                changed.insert(part.bike.reportID)
            case .add(let new):
                guard let key = work.key else { throw CorruptRow(column: "key") }
                isNew = true
                continues = new.continues(part.visit.stay)
                alerts += try judge(new, key, part, step.reported, &changed, &candidate)
                changed.insert(part.bike.reportID)
            }
            // The last part belongs to the latest report, the one that staff learn about.
            recorded = .stored(
                StoredVisit(
                    appearance: part.bike.appearance,
                    photo: part.bike.consent.map {
                        StaffPhotoLink(of: part.visit.id, at: step.reported.station.id, $0)
                    },
                    report: part.bike.reportID, isNew: isNew, alerts: alerts,
                    isMissing: !part.bike.period.isOver(at: step.reported.time),
                    otherReports: changed.subtracting([part.bike.reportID]), continues: continues))
        }
        db.news.trails.formUnion(changed)
        return recorded
    }
}

// The audit's entries.
extension VisitWriting {
    private mutating func commitment(
        _ action: AuditAction, _ part: VisitPart, _ reported: ReportedVisit, received: Timestamp,
        _ observation: VisitObservation, salt: [UInt8]? = nil, _ entries: inout PendingEntries
    ) -> Commitment {
        let salt = salt ?? salts.popFirst() ?? AuditTrail.newSalts(1)[0]
        let (visit, bike, station) = (part.visit, part.bike, reported.station.id)
        let record = SightingRecord(
            visit.id, stay: visit.stay, beacon: visit.identity, slot: part.known.map(\.slot) ?? bike.slot?.slot,
            station: station, report: bike.reportID, received: received, observation)
        let entry = entries.append(
            AuditEvent(
                action, by: .station(station), at: reported.time, owner: bike.ownerID, bike: bike.bikeID,
                report: bike.reportID, station: station,
                details: SightingRecord.details(of: visit.id, record.digest(salt: salt))))
        return Commitment(salt: salt, entry: entry)
    }

    /// Whether a recorded sighting was changed by another program. A new entry must not make the change look valid.
    private func isChanged(
        _ known: KnownSighting, by reported: ReportedVisit, _ bike: MissingBike, before entries: PendingEntries
    ) throws -> Bool {
        // The audit does not contain this transaction's entries yet.
        guard let entry = known.entry, entry < entries.first else { return false }
        let sighting = try? RecordedSighting(known.row, station: reported.station.id, report: bike.reportID)
        guard let sighting else { return true }
        return try !CommittedContents(db).isAsRecorded(sighting)
    }
}

// New sightings.
extension VisitWriting {
    private func append(
        _ part: VisitPart, _ new: NewVisit, _ commitment: Commitment, _ reported: ReportedVisit,
        to rows: inout Parameters
    ) {
        rows.append(
            reported.station.key, part.visit.id, part.visit.stay, part.visit.identity, part.bike.report,
            reported.time.milliseconds, new.surroundings.revision, SightingReason.bits(new.reasons), commitment.salt,
            commitment.entry, part.bike.slot?.slot, new.continues(part.visit.stay), new.observation)
    }

    private static let insertion = SetStatement(
        inserting: [
            ("station", .integer), ("visit", .blob), ("stay", .blob), ("beacon", .blob), ("report", .integer),
            ("received", .integer), ("revision", .integer), ("reasons", .integer), ("salt", .blob),
            ("entry", .integer), ("slot", .integer), ("continues", .blob),
        ] + VisitObservation.columns,
        into: "sighting")

    /// Judges a new sighting if other stations also reported the bike.
    ///
    /// - Parameters:
    ///   - changed: the reports whose sightings have changed.
    ///   - candidate: set if its owner may be alerted.
    /// - Returns: the number of alerts about changes of other sightings.
    private func judge(
        _ new: NewVisit, _ key: Int64, _ part: VisitPart, _ reported: ReportedVisit, _ changed: inout Set<ReportID>,
        _ candidate: inout AlertCandidate?
    ) throws -> Int {
        let time = reported.time
        var reasons = new.reasons
        var alerts = 0
        try new.fullHour?.markReportsEverything(db)
        // Sightings of a rotating beacon by one station judge each other, too.
        if new.surroundings.hasOtherStations || part.bike.slot != nil {
            let first = part.visit.firstSeen.milliseconds
            let outcome = try SightingJudgement(db: db, report: part.bike.report, time: time)
                .update(around: first...max(first, part.visit.lastSeen.milliseconds), of: key)
            reasons = outcome.reasons ?? new.reasons
            alerts += outcome.news
        }
        if let hour = new.fullHour {
            let judged = try hour.judgeAgain(db, at: time)
            changed.formUnion(try Reports(db).ids(ofKeys: judged.reports))
            alerts += judged.news
        }
        if part.isTold {
            candidate = AlertCandidate(
                key: key, station: reported.station.key, evidence: new.evidence, reasons: reasons,
                thread: new.surroundings.thread, bike: part.bike, channels: plan.channels[part.bike.key] ?? [],
                time: time, entropy: reported.entropy)
        }
        return alerts
    }
}

// Known sightings.
extension VisitWriting {
    private static let assignment = """
        UPDATE sighting SET (\(VisitObservation.columns.map(\.name).joined(separator: ", ")))
            = (\(VisitObservation.columns.map { _ in "?" }.joined(separator: ", "))),
            revision = \(SightingJudgement.nextRevision)
        """

    /// Changes a sighting and refers to the entry of the change; without one, the sighting does not match its record,
    /// which is left for `audit verify` to find.
    private func change(_ known: KnownSighting, to observation: VisitObservation, _ commitment: Commitment?) throws {
        guard let commitment else {
            return try db.run(
                "\(Self.assignment) WHERE key = ?", [observation, known.report, known.key])
        }
        try db.run(
            "\(Self.assignment), salt = ?, entry = ?, recorded = NULL, grown = NULL WHERE key = ?",
            [observation, known.report, commitment.salt, commitment.entry, known.key])
    }

    /// Changes a sighting during its visit, and keeps the recorded values.
    private func grow(_ known: KnownSighting, to observation: VisitObservation, at time: Timestamp) throws {
        try db.run(
            "\(Self.assignment), recorded = coalesce(recorded, ?), grown = coalesce(grown, ?) WHERE key = ?",
            [observation, known.report, Growth(known.observation).text, time.milliseconds, known.key])
    }

    /// Judges the sightings around a changed one again, and returns the number of alerts about changes.
    private func judge(_ known: KnownSighting, _ after: VisitObservation, at time: Timestamp) throws -> Int {
        let before = known.observation
        let first = min(before.firstSeen, after.firstSeen)
        let span = first.milliseconds...max(first, before.lastSeen, after.lastSeen).milliseconds
        return try SightingJudgement(db: db, report: known.report, time: time).update(around: span, of: known.key).news
    }
}

// Tests of beacons.
extension VisitWriting {
    /// Ends a test of a beacon that a visit completed, and notifies the bike's owner.
    private func end(_ test: RunningTest, _ reported: ReportedVisit) throws {
        let time = reported.time
        try BeaconClaims(db).setPending(nil, bike: test.bike, at: time)
        try BeaconTests(db).complete(of: reported.visit.identity, at: time)
        try BikeBeacons(db).record(BikeEvent(.beaconProved, at: time, identity: reported.visit.identity), of: test.bike)
        try Notices(db).queue(
            OwnerNotice(.beaconProved, bike: try Bikes(db).existing(test.bike).summary), toOwner: test.owner, at: time,
            using: reported.entropy)
    }
}

extension RecordedVisit {
    fileprivate mutating func add(alerts: Int) {
        guard case .stored(var visit) = self else { return }
        visit.alerts += alerts
        self = .stored(visit)
    }
}
