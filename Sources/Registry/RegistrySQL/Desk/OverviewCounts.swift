package import RegistryAPI
package import RegistryRules

/// Counts for the operators' overview. Each count stops at a limit, or reads only rows that only operators can add.
package struct OverviewCounts {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The number up to which waiting alerts of a kind are counted.
    static let mostAlerts = 10_000
    /// The number up to which things that wait for an operator are counted.
    static let mostReviews = 1_000
    /// The number of the latest disputed sightings whose reasons are counted.
    static let mostDisputed = 10_000
    /// The period in which disputed sightings are counted.
    private static let week = Duration.days(7)

    /// The bits of the reasons that contradict a sighting, as in the index `sighting_disputed`.
    static let contradicting: Int64 = 1276

    static let waitingAlerts = "SELECT 1 FROM alert WHERE kind = ? AND due IS NOT NULL"
    static let oldestAlert = "SELECT min(created) FROM alert WHERE kind = ? AND due IS NOT NULL"
    static let waitingClaims = "SELECT 1 FROM beacon_claim WHERE claimed IS NOT NULL"
    static let suspectOwners = """
        SELECT 1 FROM owner WHERE unconfirmed >= \(Overview.Reviews.manyUnconfirmed) AND suspended IS NULL
        """
    static let waitingReferences = DialectText { dialect in
        """
        SELECT 1 FROM report\(dialect.indexed(by: "report_reference"))
        WHERE \(ReferenceReviews.isWaiting)
        """
    }
    static let reportedMessages = "SELECT 1 FROM conversation WHERE reported IS NOT NULL AND settled IS NULL"
    static let safetyRequests = "SELECT 1 FROM safety_request WHERE closed IS NULL"
    static let searchesToCheck = "SELECT 1 FROM report WHERE \(SearchSigns.isWaiting)"
    static let disputed = """
        SELECT reasons FROM sighting WHERE (reasons & \(contradicting)) <> 0 AND received > ?
        ORDER BY received DESC LIMIT \(mostDisputed + 1)
        """

    /// Counts everything that the overview shows.
    ///
    /// - Parameters:
    ///   - silentBefore: a station counts as silent if its last heartbeat is older.
    ///   - database: the state of the database, which the engine knows.
    ///   - backup: the time of the last backup; nil if none is known.
    package func read(
        at time: Timestamp, silentBefore: Timestamp, database: Overview.Database, backup: Timestamp?
    ) throws -> OverviewNumbers {
        let statistics = Statistics(db)
        return OverviewNumbers(
            stations: try statistics.stations(silentBefore: silentBefore),
            monitorVersions: try statistics.monitorVersions(), lying: try Canaries(db).reporters(),
            listedBikes: try statistics.listedBikes(),
            unreadableBeacons: Int(clamping: try RotatingBeacons(db).unreadable()),
            alerts: try alerts(), deliveryErrors: try DeliveryErrorCounts(db).all(at: time),
            disputed: try disputed(since: time.advanced(by: .zero - Self.week)),
            reviews: Overview.Reviews(
                claims: try count(Self.waitingClaims, limit: Self.mostReviews),
                owners: try count(Self.suspectOwners, limit: Self.mostReviews),
                references: try count(Self.waitingReferences[db.dialect], limit: Self.mostReviews),
                messages: try count(Self.reportedMessages, limit: Self.mostReviews),
                safety: try count(Self.safetyRequests, limit: Self.mostReviews),
                objections: try count(SearchStops.waiting, limit: Self.mostReviews),
                searches: try count(Self.searchesToCheck, limit: Self.mostReviews)),
            auditLength: try AuditTrail(db).end().length, database: database, backup: backup)
    }

    /// The alerts that wait, by kind of channel; without kinds for which none waits.
    private func alerts() throws -> [Overview.AlertQueue] {
        try ChannelKind.allCases.compactMap { kind in
            guard let oldest = try db.integer(Self.oldestAlert, [kind.rawValue]) else { return nil }
            return Overview.AlertQueue(
                kind: kind, waiting: try count(Self.waitingAlerts, [kind.rawValue], limit: Self.mostAlerts),
                oldest: Timestamp(milliseconds: oldest))
        }
    }

    /// The reasons of disputed sightings that were received since a time.
    private func disputed(since: Timestamp) throws -> Overview.Disputed {
        let sql = "SELECT reasons, count(*) AS sightings FROM (\(Self.disputed)) AS latest GROUP BY reasons"
        var counts: [SightingReason: Int] = [:]
        var sum = 0
        for row in try db.rows(sql, [since.milliseconds]) {
            let sightings: Int = try row["sightings"]
            sum += sightings
            for reason in SightingReason.reasons(bits: try row["reasons"]) where reason.supports == false {
                counts[reason, default: 0] += sightings
            }
        }
        return Overview.Disputed(
            since: since,
            reasons: SightingReason.allCases.compactMap { reason in
                counts[reason].map { Overview.Disputed.Reason(reason: reason, sightings: $0) }
            },
            more: sum > Self.mostDisputed)
    }

    /// Counts the rows of a statement up to a limit.
    private func count(_ rows: String, _ arguments: Parameters = [], limit: Int) throws -> Overview.BoundedCount {
        let counted = try db.integer("SELECT count(*) FROM (\(rows) LIMIT \(limit + 1)) AS counted", arguments) ?? 0
        return Overview.BoundedCount(counted: Int(clamping: counted), limit: limit)
    }
}
