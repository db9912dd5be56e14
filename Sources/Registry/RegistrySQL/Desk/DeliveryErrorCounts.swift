import RegistryAPI
import RegistryRules

/// How many deliveries failed in each hour of the last day, by kind of channel. There is a row for each kind and hour,
/// so an owner whose server never responds cannot fill the table.
struct DeliveryErrorCounts {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// An hour in milliseconds.
    private static let hour: Int64 = 3_600_000
    /// The longest text of an error that is kept, in characters.
    private static let length = 200

    /// Counts a delivery that failed. An address that no longer exists does not count: that is not a failure of the
    /// provider.
    func count(_ settlement: AlertSettlement, kind: ChannelKind, at time: Timestamp) throws {
        let text: String
        switch settlement {
        case .retry(_, let reason), .givenUp(let reason): text = reason
        case .delivered, .deliveredBy, .gone: return
        }
        try db.run(
            """
            INSERT INTO delivery_error (kind, hour, errors, last, text) VALUES (?, ?, 1, ?, ?)
            ON CONFLICT (kind, hour) DO UPDATE
                SET errors = delivery_error.errors + 1, last = excluded.last, text = excluded.text
            """,
            [kind.rawValue, time.milliseconds / Self.hour, time.milliseconds, String(text.prefix(Self.length))]
        )
    }

    /// The sum of a kind's errors, with the last error, which is that of the latest hour.
    static let recent = """
        SELECT last, text,
            (SELECT CAST(sum(errors) AS BIGINT) FROM delivery_error WHERE kind = ?1 AND hour > ?2) AS errors
        FROM delivery_error WHERE kind = ?1 AND hour > ?2 ORDER BY hour DESC LIMIT 1
        """

    /// The failures of the last 24 hours, counted in whole hours; without kinds that had none.
    func all(at time: Timestamp) throws -> [Overview.DeliveryErrors] {
        try ChannelKind.allCases.compactMap { kind in
            guard let row = try db.row(Self.recent, [kind.rawValue, time.milliseconds / Self.hour - 24]),
                let count: Int64 = try row["errors"]
            else { return nil }
            return Overview.DeliveryErrors(
                kind: kind, count: Int(clamping: count), last: try row.timestamp("last"), text: try row["text"])
        }
    }

    /// Deletes the hours that are no longer shown.
    func forget(at time: Timestamp) throws {
        try db.run("DELETE FROM delivery_error WHERE hour <= ?", [time.milliseconds / Self.hour - 24])
    }
}
