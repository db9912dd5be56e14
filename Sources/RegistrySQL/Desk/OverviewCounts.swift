package import Registry
package import RegistryAPI

/// Counts for the operators' overview. Each stops at a limit, or goes through rows that only operators can add.
package struct OverviewCounts {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The limits up to which things are counted.
    static let (mostAlerts, mostReviews, mostDisputed) = (10_000, 1_000, 10_000)
    private static let week = Duration.seconds(7 * 86_400)

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
        WHERE closed IS NULL AND confirmed IS NULL AND police_reference IS NOT NULL
        """
    }
    /// Entries of the list, without the canary, and rotating beacons.
    static let listedBikes = """
        SELECT (SELECT count(*) FROM missing_list_entry) - (
            SELECT count(*) FROM canary JOIN missing_list_entry ON missing_list_entry.beacon = canary.beacon
        ) + (SELECT count(*) FROM rotating_beacon WHERE listed_first IS NOT NULL)
        """
    static let reportedMessages = "SELECT 1 FROM conversation WHERE reported IS NOT NULL AND settled IS NULL"
    static let disputed = """
        SELECT reasons FROM sighting WHERE (reasons & \(contradicting)) <> 0 AND received > ?
        ORDER BY received DESC LIMIT \(mostDisputed + 1)
        """

    package func read(
        at time: Timestamp, silentBefore: Timestamp, database: Overview.Database, backup: Timestamp?
    ) throws -> OverviewNumbers {
        let stations = try stations(silentBefore: silentBefore)
        return OverviewNumbers(
            listening: stations.listening, deaf: stations.deaf, silent: stations.silent, new: stations.new,
            revoked: stations.revoked, lying: try Canaries(db).reporters(),
            listedBikes: Int(clamping: try db.integer(Self.listedBikes, []) ?? 0),
            unreadableBeacons: Int(clamping: try RotatingBeacons(db).unreadable()),
            alerts: try alerts(), deliveryErrors: try DeliveryErrorCounts(db).all(at: time),
            disputed: try disputed(since: time.advanced(by: .zero - Self.week)),
            reviews: Overview.Reviews(
                claims: try count(Self.waitingClaims, limit: Self.mostReviews),
                owners: try count(Self.suspectOwners, limit: Self.mostReviews),
                references: try count(Self.waitingReferences[db.dialect], limit: Self.mostReviews),
                messages: try count(Self.reportedMessages, limit: Self.mostReviews)),
            auditLength: try AuditTrail(db).end().length, database: database, backup: backup)
    }

    /// Goes through all stations: only operators can make them more.
    private func stations(
        silentBefore: Timestamp
    ) throws -> (listening: Int, deaf: Int, silent: Int, new: Int, revoked: Int) {
        let sql = """
            SELECT count(*) FILTER (WHERE revoked IS NULL AND received >= ?1 AND deaf = 0) AS listening,
                count(*) FILTER (WHERE revoked IS NULL AND received >= ?1 AND deaf = 1) AS deaf,
                count(*) FILTER (WHERE revoked IS NULL AND received < ?1) AS silent,
                count(*) FILTER (WHERE revoked IS NULL AND received IS NULL) AS new,
                count(*) FILTER (WHERE revoked IS NOT NULL) AS revoked
            FROM station LEFT JOIN station_heartbeat ON station_heartbeat.station = station.key WHERE app = 0
            """
        guard let row = try db.row(sql, [silentBefore.milliseconds]) else { return (0, 0, 0, 0, 0) }
        return (try row["listening"], try row["deaf"], try row["silent"], try row["new"], try row["revoked"])
    }

    private func alerts() throws -> [Overview.AlertQueue] {
        try ChannelKind.allCases.compactMap { kind in
            guard let oldest = try db.integer(Self.oldestAlert, [kind.rawValue]) else { return nil }
            return Overview.AlertQueue(
                kind: kind, waiting: try count(Self.waitingAlerts, [kind.rawValue], limit: Self.mostAlerts),
                oldest: Timestamp(milliseconds: oldest))
        }
    }

    private func disputed(since: Timestamp) throws -> Overview.Disputed {
        let sql = "SELECT reasons, count(*) AS sightings FROM (\(Self.disputed)) AS latest GROUP BY reasons"
        var (counts, sum): ([SightingReason: Int], Int) = ([:], 0)
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

    private func count(_ rows: String, _ arguments: Parameters = [], limit: Int) throws -> Overview.BoundedCount {
        let counted = try db.integer("SELECT count(*) FROM (\(rows) LIMIT \(limit + 1)) AS counted", arguments) ?? 0
        return Overview.BoundedCount(counted: Int(clamping: counted), limit: limit)
    }
}
