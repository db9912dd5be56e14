import Evidence
import Foundation
import RegistryAPI
import RegistryRules

/// Writes the decisions about a set of visits: first all new sightings; then, in the order of the visits, the changes of
/// known sightings and the judgements; then the alerts.
struct VisitWriting {
    typealias Decided = (reported: ReportedVisit, decision: VisitDecision)

    let db: any Transaction
    /// The salts of new records.
    private var salts: ArraySlice<[UInt8]> = []
    /// The salts and the audit's entries for changes of known sightings, in the order of the decisions. Nil for a
    /// sighting that another program has changed: a new entry must not make that look valid.
    private var changes: ArraySlice<(salt: [UInt8], entry: Int64, signed: SignedReport?)?> = []
    /// The keys of the new sightings, in the order of the decisions.
    private var keys: ArraySlice<Int64> = []
    /// New sightings to which owners may be alerted.
    private var candidates: [AlertCandidate] = []

    init(_ db: any Transaction) { self.db = db }

    /// Writes the decisions, in the order of the visits.
    ///
    /// - Parameters:
    ///   - hours: the counts of the stations' hours, with the set's visits.
    ///   - entries: the audit's entries, which the caller appends when all sets are written.
    /// - Returns: the result of each visit.
    mutating func write(
        _ set: [Decided], _ hours: ReportingHours, _ entries: inout PendingEntries
    ) throws -> [RecordedVisit] {
        salts = AuditTrail.newSalts(set.reduce(0) { $0 + $1.decision.partCount })[...]
        var rows: Parameters = []
        for visit in set { try prepare(visit, &rows, &entries) }
        keys = try db.insert(Self.insertion, rows)[...]
        try hours.store(db)
        var recorded: [RecordedVisit] = []
        for visit in set { recorded.append(try settle(visit, at: recorded.count)) }
        var alerts = SightingAlerts(db)
        for (count, candidate) in zip(try alerts.queue(candidates), candidates) {
            recorded[candidate.place].add(alerts: count)
        }
        return recorded
    }
}

// First: the audit's entries, and the rows of new sightings.
extension VisitWriting {
    /// Makes the audit's entries and the rows of new sightings for a visit.
    private mutating func prepare(
        _ visit: Decided, _ rows: inout Parameters, _ entries: inout PendingEntries
    ) throws {
        let (reported, station) = (visit.reported, visit.reported.station.id)
        switch visit.decision {
        case .proved(let test):
            _ = entries.append(
                AuditEvent(
                    .beaconProved, by: .station(station), at: reported.time, owner: test.ownerID, bike: test.bikeID,
                    station: station))
        case .canary(isRepeated: false):
            _ = entries.append(
                AuditEvent(.canaryReported, by: .station(station), at: reported.time, station: station))
        case .stored(let parts):
            for (part, decision) in parts {
                switch decision {
                case .keep, .grow: break
                case .add(let new):
                    let salt = newSalt()
                    let entry = entries.append(
                        reported.event(
                            .sightingStored, part.visit, part.bike, slot: part.bike.slot?.slot, received: reported.time,
                            salt: salt, reported.signed))
                    part.bindRow(of: new, reported, salt: salt, entry: entry, to: &rows)
                case .change(let known, let after):
                    guard try !isChanged(known, by: reported, part.bike, before: entries) else {
                        changes.append(nil)
                        break
                    }
                    let salt = known.salt ?? newSalt()
                    let signed = try signed(reported, known, after)
                    let event = reported.event(
                        .sightingChanged, after, part.bike, slot: known.slot, received: known.received, salt: salt,
                        signed)
                    changes.append((salt, entries.append(event), signed))
                }
            }
        case .canary, .ignored, .contradicts, .heard: break
        }
    }

    /// The next of the salts that were made for the set.
    private mutating func newSalt() -> [UInt8] { salts.popFirst() ?? AuditTrail.newSalts(1)[0] }

    private static let insertion = SetStatement(
        inserting: [
            ("station", .integer), ("visit", .blob), ("stay", .blob), ("beacon", .blob), ("report", .integer),
            ("received", .integer), ("revision", .integer), ("reasons", .integer), ("salt", .blob),
            ("entry", .integer), ("slot", .integer), ("continues", .blob),
        ] + Visit.mergedColumns,
        into: "sighting")
}

extension ReportedVisit {
    /// The audit's event for a sighting, with the digest of its record.
    fileprivate func event(
        _ action: AuditAction, _ visit: Visit, _ bike: MissingBike, slot: Int64?, received: Timestamp, salt: [UInt8],
        _ signed: SignedReport?
    ) -> AuditEvent {
        let record = SightingRecord(
            visit, slot: slot, station: station.id, report: bike.reportID, received: received)
        return AuditEvent(
            action, by: .station(station.id), at: time, owner: bike.ownerID, bike: bike.bikeID, report: bike.reportID,
            station: station.id, details: SightingRecord.details(of: visit.id, record.digest(salt: salt), signed))
    }
}

extension VisitPart {
    /// Binds the values of ``VisitWriting/insertion``.
    fileprivate func bindRow(
        of new: NewSighting, _ reported: ReportedVisit, salt: [UInt8], entry: Int64, to rows: inout Parameters
    ) {
        rows.append(
            reported.station.key, visit.id, visit.stay, visit.identity, bike.report, reported.time.milliseconds,
            surroundings.revision, SightingReason.bits(new.reasons), salt, entry, bike.slot?.slot, continues)
        visit.bindMerged(to: &rows)
    }
}

// Then, visit by visit: the changes of known sightings, and the judgements.
extension VisitWriting {
    /// Takes the steps that follow the storing of a visit's new sightings.
    private mutating func settle(_ visit: Decided, at place: Int) throws -> RecordedVisit {
        let (reported, time) = (visit.reported, visit.reported.time)
        switch visit.decision {
        case .ignored: return .ignored
        case .contradicts(let field): return .contradicts(field: field)
        case .canary:
            try Canaries(db).note(by: reported.station.key, at: time)
            return .canary
        case .proved(let test):
            try end(test, reported)
            return .proved
        case .heard:
            try BeaconTests(db).complete(of: reported.visit.identity, at: time)
            return .ignored
        case .stored(let parts): return try settle(parts, of: reported, at: place)
        }
    }

    /// Changes the known sightings of a visit's parts, judges them and the new ones, and collects candidates for alerts.
    private mutating func settle(
        _ parts: [(part: VisitPart, decision: SightingDecision)], of reported: ReportedVisit, at place: Int
    ) throws -> RecordedVisit {
        let time = reported.time
        var recorded = RecordedVisit.ignored
        var changed: Set<ReportID> = []
        var alerts = 0
        for (part, decision) in parts {
            var isNew = false
            if case .keep = decision {} else { changed.insert(part.bike.reportID) }
            switch decision {
            case .keep: break
            case .grow(let known, let after):
                try grow(known, to: after, at: time)
                if let signed = reported.signed, signed.visit.covers(after) {
                    try PartnerStatements(db).store(signed, of: known.key)
                }
                alerts += try judge(known, after, at: time)
            case .change(let known, let after):
                try change(known, to: after, changes.popFirst() ?? nil)
                alerts += try judge(known, after, at: time)
            case .add(let new):
                guard let key = keys.popFirst() else { throw CorruptRow(column: "key") }
                isNew = true
                if let signed = reported.signed { try PartnerStatements(db).store(signed, of: key) }
                let (reasons, news) = try judge(new, key, part, at: time, &changed)
                alerts += news
                if part.causesAlerts {
                    candidates.append(
                        AlertCandidate(
                            place: place, key: key, reported: reported, part: part, evidence: new.evidence,
                            reasons: reasons))
                }
            }
            // The last part belongs to the latest report, the one that staff learn about.
            recorded = .stored(
                StoredVisit(
                    appearance: part.bike.appearance,
                    photo: part.bike.consent.map { StaffPhotoLink(of: part.visit.id, at: reported.station.id, $0) },
                    report: part.bike.reportID, isNew: isNew, alerts: alerts,
                    isMissing: !part.bike.period.isOver(at: time),
                    otherReports: changed.subtracting([part.bike.reportID]), continues: part.continues))
        }
        db.news.trails.formUnion(changed)
        return recorded
    }

    /// Judges a new sighting if other stations also reported the bike.
    ///
    /// - Parameter changed: the reports whose sightings have changed.
    /// - Returns: its reasons, and the number of alerts about changes of other sightings.
    private func judge(
        _ new: NewSighting, _ key: Int64, _ part: VisitPart, at time: Timestamp, _ changed: inout Set<ReportID>
    ) throws -> (reasons: Set<SightingReason>, news: Int) {
        var reasons = new.reasons
        var news = 0
        try new.fullHour?.markReportsEverything(db)
        // Sightings of a rotating beacon by one station judge each other, too.
        if part.surroundings.hasOtherStations || part.bike.slot != nil {
            let first = part.visit.firstSeen.milliseconds
            let outcome = try SightingJudgement(db: db, report: part.bike.report, time: time)
                .update(around: first...max(first, part.visit.lastSeen.milliseconds), of: key)
            reasons = outcome.reasons ?? new.reasons
            news += outcome.news
        }
        if let hour = new.fullHour {
            let judged = try hour.judgeAgain(db, at: time)
            changed.formUnion(try Reports(db).ids(ofKeys: judged.reports))
            news += judged.news
        }
        return (reasons, news)
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
    /// Adds to the number of alerts that a stored visit causes.
    fileprivate mutating func add(alerts: Int) {
        guard case .stored(var visit) = self else { return }
        visit.alerts += alerts
        self = .stored(visit)
    }
}
