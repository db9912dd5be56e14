import Foundation
import RegistryAPI
import RegistryRules

/// Writes the decisions about a set of visits: first the sightings and the counts of the hours; then, in the order of
/// the visits, what follows from each, such as judgements; then the alerts (``SightingAlerts``). The audit's entries
/// are only collected: ``VisitRecording`` appends those of all sets together.
struct VisitWriting {
    typealias Decided = (reported: ReportedVisit, decision: VisitDecision)

    let db: any Transaction
    /// The salts of new records.
    private var salts: ArraySlice<[UInt8]> = []
    /// The rows of the new sightings, in the order in which `add` made them: by visit, and then by part.
    private var rows: Parameters = []
    /// The keys of the stored rows that `judgeParts` has not taken yet, in the order of ``rows``. It meets the new
    /// sightings in the same order, so the first key is always that of the next one.
    private var keys: ArraySlice<Int64> = []

    init(_ db: any Transaction) { self.db = db }

    /// Writes the decisions, in the order of the visits. `store` makes a row of each new sighting; all rows are
    /// inserted together, which gives a key for each row; and `settle` passes each stored visit to `judgeParts`, which
    /// takes its keys, judges its sightings, and makes candidates of those to which owners may be alerted.
    ///
    /// - Parameters:
    ///   - hours: the counts of the stations' hours, with the set's visits.
    ///   - entries: the audit's entries, which the caller appends when all sets are written.
    /// - Returns: the result of each visit.
    mutating func write(
        _ set: [Decided], _ hours: ReportingHours, _ entries: inout PendingEntries
    ) throws -> [RecordedVisit] {
        let parts = set.reduce(0) { $0 + $1.decision.partCount }
        salts = AuditTrail.newSalts(parts)[...]
        rows.reserve(rows: parts, columns: Self.insertion.types.count, bytes: 192)
        for visit in set { try store(visit, &entries) }
        keys = try db.insert(Self.insertion, rows)[...]
        try hours.store(db)
        var recorded: [RecordedVisit] = []
        var candidates: [AlertCandidate] = []
        for visit in set { recorded.append(try settle(visit, at: recorded.count, &candidates)) }
        var alerts = SightingAlerts(db)
        for (count, candidate) in zip(try alerts.queue(candidates), candidates) {
            recorded[candidate.index].add(alerts: count)
        }
        return recorded
    }
}

// First: the rows of new sightings, the changes of known ones, and the audit's entries about both.
extension VisitWriting {
    /// Collects a visit's entries for the audit, and changes its known sightings. A new sighting becomes a row, which
    /// `write` inserts with those of the whole set, and an entry for the audit.
    private mutating func store(_ visit: Decided, _ entries: inout PendingEntries) throws {
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
                case .keep: break
                case .grow(let known, let after): try grow(known, to: after, reported)
                case .change(let known, let after): try change(known, to: after, part.bike, reported, &entries)
                case .add(let new): add(new, part, reported, &entries)
                }
            }
        case .canary, .ignored, .contradicts, .heard: break
        }
    }

    /// Adds the row of a new sighting, which gets its key later, and the entry for the audit that it refers to.
    private mutating func add(
        _ new: NewSighting, _ part: VisitPart, _ reported: ReportedVisit, _ entries: inout PendingEntries
    ) {
        let (visit, slot, salt) = (part.visit, part.bike.slot?.slot, newSalt())
        let entry = entries.append(
            reported.event(
                .sightingStored, visit, part.bike, slot: slot, received: reported.time, salt: salt, reported.signed))
        rows.append(
            reported.station.key, visit.id, visit.stay, visit.identity, part.bike.report, reported.time.milliseconds,
            part.surroundings.revision, SightingReason.bits(new.reasons), salt, entry, slot, part.continues)
        visit.bindContents(to: &rows)
    }

    private static let insertion = SetStatement(
        inserting: [
            ("station", .integer), ("visit", .blob), ("stay", .blob), ("beacon", .blob), ("report", .integer),
            ("received", .integer), ("revision", .integer), ("reasons", .integer), ("salt", .blob),
            ("entry", .integer), ("slot", .integer), ("continues", .blob),
        ] + Visit.contentColumns,
        into: "sighting")

    /// The next of the salts that were made for the set.
    mutating func newSalt() -> [UInt8] { salts.popFirst() ?? AuditTrail.newSalts(1)[0] }
}

// Then, visit by visit: the judgements.
extension VisitWriting {
    /// Takes the steps that follow the storing of a visit's sightings: a test of a beacon is completed, a report of the
    /// canary is counted, and the sightings of a stored visit are judged.
    ///
    /// - Parameters:
    ///   - index: of the visit in the set.
    ///   - candidates: the new sightings to which owners may be alerted; those of the visit are added.
    /// - Returns: the visit's result, without the alerts to its candidates.
    private mutating func settle(
        _ visit: Decided, at index: Int, _ candidates: inout [AlertCandidate]
    ) throws -> RecordedVisit {
        let (reported, time) = (visit.reported, visit.reported.time)
        switch visit.decision {
        case .ignored: return .ignored
        case .contradicts(let field): return .contradicts(field: field)
        case .canary:
            try Canaries(db).note(by: reported.station.key, at: time)
            return .canary
        case .proved(let test):
            try BeaconTests(db).complete(test, by: reported)
            return .proved
        case .heard:
            try BeaconTests(db).complete(of: reported.visit.identity, at: time)
            return .ignored
        case .stored(let parts): return try judgeParts(parts, of: reported, at: index, &candidates)
        }
    }

    /// Judges the changed and the new sightings of a visit's parts. This takes the keys of the new ones, adds those that
    /// may cause alerts to the candidates, and notes the reports whose trails have changed.
    ///
    /// - Returns: the visit's result, without the alerts to its candidates.
    private mutating func judgeParts(
        _ parts: [(part: VisitPart, decision: SightingDecision)], of reported: ReportedVisit, at index: Int,
        _ candidates: inout [AlertCandidate]
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
            case .grow(let known, let after), .change(let known, let after):
                alerts += try judge(known, after, at: time)
            case .add(let new):
                guard let key = keys.popFirst() else { throw CorruptRow(column: "key") }
                isNew = true
                if let signed = reported.signed { try PartnerStatements(db).store(signed, of: key) }
                let (reasons, news) = try judgeByOthers(new, key, part, at: time)
                alerts += news
                if part.causesAlerts {
                    candidates.append(
                        AlertCandidate(
                            index: index, key: key, reported: reported, part: part, evidence: new.evidence,
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

    /// Judges a new sighting by others, if other stations also reported the bike or its beacon rotates. If the station
    /// now reports too many bikes, this only marks the hour and queues the station: a service later judges its
    /// sightings since then again (``StationJudgements``).
    ///
    /// - Returns: its reasons, and the number of alerts about changes of other sightings.
    private func judgeByOthers(
        _ new: NewSighting, _ key: Int64, _ part: VisitPart, at time: Timestamp
    ) throws -> (reasons: Set<SightingReason>, news: Int) {
        var reasons = new.reasons
        var news = 0
        try new.fullHour?.markReportsEverything(db, at: time)
        if part.isJudgedByOthers {
            let first = part.visit.firstSeen.milliseconds
            let outcome = try SightingJudgement(db: db, report: part.bike.report, time: time)
                .update(around: first...max(first, part.visit.lastSeen.milliseconds), of: key, isNew: true)
            reasons = outcome.reasons ?? new.reasons
            news += outcome.news
        }
        return (reasons, news)
    }

    /// Judges the sightings around a changed one again, and returns the number of alerts about changes.
    private func judge(_ known: KnownSighting, _ after: Visit, at time: Timestamp) throws -> Int {
        let before = known.visit
        let first = min(before.firstSeen, after.firstSeen)
        let span = first.milliseconds...max(first, before.lastSeen, after.lastSeen).milliseconds
        if after.takesBack(before) { try ReportJudgements(db).beginIfFew(known.report, around: span, at: time) }
        return try SightingJudgement(db: db, report: known.report, time: time)
            .update(around: span, of: known.key, isNew: false).news
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
