import Foundation
import RegistryAPI
import RegistryRules

/// A sighting that was just stored, to which owners may be alerted.
struct AlertCandidate {
    let key: Int64
    let reported: ReportedVisit
    let part: VisitPart
    let evidence: SightingEvidence
    let reasons: Set<SightingReason>
}

/// Queues the alerts for new sightings according to ``AlertRules``, inside the transaction that stores them. It reads
/// what was announced before, decides about one sighting after the other, and then writes (``AlertWrites``).
struct SightingAlerts {
    private let db: any Transaction
    private var writes = AlertWrites()

    init(_ db: any Transaction) { self.db = db }

    /// - Parameter candidates: at most one for each report, so that none affects another.
    /// - Returns: for each, the number of additional alerts that wait now.
    mutating func queue(_ candidates: [AlertCandidate]) throws -> [Int] {
        guard !candidates.isEmpty else { return [] }
        let histories = try AlertRules.History.all(
            db, before: candidates.filter { $0.part.beginsThread && !$0.part.channels.isEmpty })
        var counts: [Int] = []
        var joined: [(place: Int, subject: SightingNews.Subject)] = []
        for candidate in candidates {
            if let thread = try thread(of: candidate, histories[candidate.part.bike.report] ?? AlertRules.History()) {
                writes.join(candidate, thread: thread)
                if let subject = SightingNews.Subject(candidate, thread: thread) {
                    joined.append((counts.count, subject))
                }
                counts.append(0)
            } else {
                counts.append(candidate.part.channels.count)
            }
        }
        try writes.write(db)
        let news = try SightingNews(db).queue(joined.map(\.subject))
        for (count, (place, _)) in zip(news, joined) { counts[place] += count }
        return counts
    }

    /// Queues the alerts for a sighting, unless it joins an earlier one.
    ///
    /// - Returns: the thread of the earlier alert.
    private mutating func thread(of candidate: AlertCandidate, _ history: AlertRules.History) throws -> Int64? {
        // A very long stay is split into visits; its owner already knows about it from the first.
        if let thread = candidate.part.surroundings.thread { return thread }
        guard !candidate.part.channels.isEmpty else { return nil }
        let (evidence, time) = (candidate.evidence, candidate.reported.time)
        let decision = AlertRules.decision(
            at: evidence.place, firstSeen: evidence.firstSeen, lastSeen: evidence.lastSeen, received: time,
            isDoubtful: AlertRules.isDoubtful(candidate.reasons), after: history
        )
        writes.remember(
            candidate, isLast: history.isHeardLast(evidence.firstSeen),
            quietCheck: time.advanced(by: ReminderRules.quietReport))
        if case .joins(let thread) = decision { return thread }
        if case .alert = decision { writes.count(candidate, history) }
        for channel in candidate.part.channels { try queue(candidate, decision, on: channel) }
        return nil
    }

    private mutating func queue(
        _ candidate: AlertCandidate, _ decision: AlertRules.Decision, on channel: AlertChannel
    ) throws {
        let quietHours = channel.quietHours
        let zone = quietHours == nil ? LocalZone() : LocalZone(channel.zone)
        let delivery = AlertRules.delivery(of: decision, at: candidate.reported.time, wait: channel.after) {
            quietHours?.end(at: $0, in: zone)
        }
        switch delivery {
        case nil: break
        case .alone(let due):
            writes.alert(candidate, channel, due: due, isUrgent: decision == .alert(isUrgent: true))
        case .digest(let due):
            writes.alert(candidate, channel, digest: try digest(of: candidate, channel, until: due))
        }
    }

    /// The digest of the report that waits to be sent over a channel.
    private func digest(
        of candidate: AlertCandidate, _ channel: AlertChannel, until due: Timestamp
    ) throws -> Int64 {
        let report = candidate.part.bike.report
        let waiting = try db.integer(
            "SELECT key FROM alert WHERE report = ? AND channel = ? AND due IS NOT NULL AND attempts = 0",
            [report, channel.key]
        )
        if let waiting {
            try db.run(
                "UPDATE alert SET due = CASE WHEN due < ?1 THEN due ELSE ?1 END WHERE key = ?2",
                [due.milliseconds, waiting]
            )
            db.news.alerts = true
            return waiting
        }
        db.news.alerts = true
        return try db.insert(
            "INSERT INTO alert (id, report, channel, kind, urgent, created, due) VALUES (?, ?, ?, ?, 0, ?, ?)",
            [
                candidate.newID(), report, channel.key, channel.kind, candidate.reported.time.milliseconds,
                due.milliseconds,
            ]
        )
    }
}

extension AlertCandidate {
    func newID() -> Data {
        var entropy = reported.entropy
        return AlertID(at: reported.time, using: &entropy).blob
    }
}

extension SightingNews.Subject {
    /// Nil if the sighting is not worth an update.
    fileprivate init?(_ candidate: AlertCandidate, thread: Int64) {
        self.init(
            sighting: candidate.key, thread: thread, bits: SightingReason.bits(candidate.reasons),
            isLate: SightingRules.isLate(lastSeen: candidate.evidence.lastSeen, received: candidate.reported.time),
            at: candidate.reported.time)
    }
}
