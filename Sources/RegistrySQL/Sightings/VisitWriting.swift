import Evidence
import Foundation
import Registry
import RegistryAPI

/// Writes the decisions of a plan: first all new sightings, then, in the order of the visits, the changes of known
/// sightings, the judgements and the alerts.
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

    /// - Parameter entries: the audit's entries, which the caller appends when all sets are written.
    mutating func write(_ entries: inout PendingEntries) throws -> [RecordedVisit] {
        var rows: Parameters = []
        /// Of each changed sighting, in order; nil if somebody else has changed it.
        var commitments: [Commitment?] = []
        for step in plan.steps {
            let reported = step.reported
            if case .proved(let test) = step.decision {
                _ = entries.append(
                    AuditEvent(
                        .beaconProved, by: .station(reported.station.id), at: reported.time, owner: test.ownerID,
                        bike: test.bikeID, station: reported.station.id))
            }
            for (part, decision) in step.parts {
                switch decision {
                case .keep, .grow: break
                case .add(let new):
                    let commitment = commit(
                        .sightingStored, part, reported, received: reported.time, new.observation, &entries)
                    rows.append(row(of: part, new, commitment, reported))
                case .change(let known, let after):
                    commitments.append(
                        try isChanged(known, by: reported, part.bike, before: entries)
                            ? nil
                            : commit(
                                .sightingChanged, part, reported, received: known.received, after, salt: known.salt,
                                &entries))
                }
            }
        }
        var keys = try db.insert(Self.insertion, rows)[...]
        try plan.hours.store(db)
        var changes = commitments[...]
        return try plan.steps.map { try finish($0, &keys, &changes) }
    }

    /// Takes the steps that follow the storing of a visit's sightings.
    private func finish(
        _ step: VisitPlan.Step, _ keys: inout ArraySlice<Int64>, _ changes: inout ArraySlice<Commitment?>
    ) throws -> RecordedVisit {
        switch step.decision {
        case .ignored: return .ignored
        case .contradicts(let field): return .contradicts(field: field)
        case .proved(let test):
            try end(test, step.reported)
            return .proved
        case .stored: break
        }
        var recorded = RecordedVisit.ignored
        for (part, decision) in step.parts {
            var isNew = false
            var alerts = 0
            switch decision {
            case .keep: break
            case .grow(let known, let after):
                try grow(known, to: after, at: step.reported.time)
                alerts = try judge(known, after, at: step.reported.time)
            case .change(let known, let after):
                guard let commitment = changes.popFirst() else { throw CorruptRow(column: "entry") }
                try change(known, to: after, commitment)
                alerts = try judge(known, after, at: step.reported.time)
            case .add(let new):
                guard let key = keys.popFirst() else { throw CorruptRow(column: "key") }
                isNew = true
                alerts = try finish(new, key, part, step.reported)
            }
            recorded = .stored(
                StoredVisit(
                    appearance: part.bike.appearance, report: part.bike.reportID, isNew: isNew, alerts: alerts,
                    isMissing: !part.bike.period.isOver(at: step.reported.time)))
        }
        return recorded
    }
}

// The audit's entries.
extension VisitWriting {
    private mutating func commit(
        _ action: AuditAction, _ part: VisitPart, _ reported: ReportedVisit, received: Timestamp,
        _ observation: VisitObservation, salt: [UInt8]? = nil, _ entries: inout PendingEntries
    ) -> Commitment {
        let salt = salt ?? salts.popFirst() ?? AuditTrail.newSalts(1)[0]
        let (visit, bike, station) = (part.visit, part.bike, reported.station.id)
        let record = SightingRecord(
            visit.id, stay: visit.stay, beacon: visit.identity, station: station, report: bike.reportID,
            received: received, observation)
        let entry = entries.append(
            AuditEvent(
                action, by: .station(station), at: reported.time, owner: bike.ownerID, bike: bike.bikeID,
                report: bike.reportID, station: station,
                details: SightingRecord.details(of: visit.id, record.digest(salt: salt))))
        return Commitment(salt: salt, entry: entry)
    }

    /// Whether somebody has changed a recorded sighting. A new entry must not make the change look valid.
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
    private func row(
        of part: VisitPart, _ new: NewVisit, _ commitment: Commitment, _ reported: ReportedVisit
    ) -> Parameters {
        [
            reported.station.key, part.visit.id, part.visit.stay, part.visit.identity, part.bike.report,
            reported.time.milliseconds, new.surroundings.revision, SightingReason.bits(new.reasons), commitment.salt,
            commitment.entry,
        ] + new.observation.arguments
    }

    private static let insertion = SetStatement(
        given: columns, "INSERT INTO sighting (\(columns)) SELECT * FROM given")

    private static let columns = """
        station, visit, stay, beacon, report, received, revision, reasons, salt, entry, \(VisitObservation.columns)
        """

    /// Judges a new sighting if other stations also reported the bike, and queues the alerts.
    ///
    /// - Returns: the number of alerts.
    private func finish(_ new: NewVisit, _ key: Int64, _ part: VisitPart, _ reported: ReportedVisit) throws -> Int {
        let time = reported.time
        var sighting = NewSighting(
            key: key, station: reported.station.key, evidence: new.evidence, reasons: new.reasons)
        var alerts = 0
        try new.fullHour?.markReportsEverything(db)
        if new.surroundings.hasOtherStations {
            let first = part.visit.firstSeen.milliseconds
            let outcome = try SightingJudgement(db: db, report: part.bike.report, time: time)
                .update(around: first...max(first, part.visit.lastSeen.milliseconds), of: key)
            sighting.reasons = outcome.reasons ?? new.reasons
            alerts += outcome.news
        }
        if let hour = new.fullHour { alerts += try hour.judgeAgain(db, at: time) }
        guard part.isTold else { return alerts }
        return try alerts
            + SightingAlerts(db: db, time: time, entropy: reported.entropy).queue(
                sighting, stay: new.surroundings.stay, of: part.bike, for: plan.channels[part.bike.key] ?? [])
    }
}

// Known sightings.
extension VisitWriting {
    private static let marks = Array(repeating: "?", count: VisitObservation.columnCount).joined(separator: ", ")

    private static let assignment = """
        UPDATE sighting SET (\(VisitObservation.columns)) = (\(marks)), revision = \(SightingJudgement.nextRevision)
        """

    /// Changes a sighting and refers to the entry of the change; without one, the sighting does not match its record,
    /// which is left for `audit verify` to find.
    private func change(_ known: KnownSighting, to observation: VisitObservation, _ commitment: Commitment?) throws {
        guard let commitment else {
            return try db.run(
                "\(Self.assignment) WHERE key = ?", observation.arguments + [known.report, known.key])
        }
        try db.run(
            "\(Self.assignment), salt = ?, entry = ?, recorded = NULL, grown = NULL WHERE key = ?",
            observation.arguments + [known.report, commitment.salt, commitment.entry, known.key])
    }

    /// Changes a sighting during its visit, and keeps the recorded values.
    private func grow(_ known: KnownSighting, to observation: VisitObservation, at time: Timestamp) throws {
        try db.run(
            "\(Self.assignment), recorded = coalesce(recorded, ?), grown = coalesce(grown, ?) WHERE key = ?",
            observation.arguments
                + [known.report, Growth(known.observation).text, time.milliseconds, known.key])
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
    /// Ends a test of a beacon that a visit completed, and tells the bike's owner.
    private func end(_ test: BeaconTest, _ reported: ReportedVisit) throws {
        let time = reported.time
        try BeaconClaims(db).setPending(nil, bike: test.bike, at: time)
        try BikeBeacons(db).record(BikeEvent(.beaconProved, at: time, identity: reported.visit.identity), of: test.bike)
        try Notices(db).queue(
            OwnerNotice(.beaconProved, bike: try Bikes(db).existing(test.bike).summary), toOwner: test.owner, at: time,
            using: reported.entropy)
    }
}
