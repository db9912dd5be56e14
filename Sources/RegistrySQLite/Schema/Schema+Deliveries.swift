// The order of deliveries, and the senders of finds.
extension Schema {
    /// A sender is a number that is valid for one day (``FindSenders``).
    static let findSenders = [
        "ALTER TABLE find ADD COLUMN sender INTEGER",
        "ALTER TABLE bike_event ADD COLUMN sender INTEGER",
    ]

    static let deliveries: [String] =
        [
            // ReceiverStanding's raw value.
            "ALTER TABLE channel ADD COLUMN standing INTEGER NOT NULL DEFAULT 1",
            // The time of the last slow delivery.
            "ALTER TABLE channel ADD COLUMN slow INTEGER",
            // The time when an alert was last claimed: channels take turns.
            "ALTER TABLE channel ADD COLUMN tried INTEGER NOT NULL DEFAULT 0",
            // The time when the next alert is due, or since when the channel waits for its turn: maintained by the
            // triggers below.
            "ALTER TABLE channel ADD COLUMN next_urgent INTEGER",
            "ALTER TABLE channel ADD COLUMN next_calm INTEGER",
            "ALTER TABLE alert ADD COLUMN claimed INTEGER",
            "DROP INDEX alert_due",
            "CREATE INDEX alert_waiting ON alert (channel, urgent, due) WHERE due IS NOT NULL",
            """
            UPDATE channel SET standing = CASE
                WHEN kind IN ('apns', 'email') THEN 0
                WHEN last_error IS NOT NULL THEN 2
                WHEN EXISTS (SELECT 1 FROM alert WHERE alert.channel = channel.key AND delivered IS NOT NULL) THEN 0
                ELSE 1 END
            """,
            "UPDATE channel SET \(next(tried: "tried"))",
            """
            CREATE INDEX channel_urgent ON channel (kind, standing, next_urgent) WHERE next_urgent IS NOT NULL
            """,
            "CREATE INDEX channel_calm ON channel (kind, standing, next_calm) WHERE next_calm IS NOT NULL",
            // A clock that was ahead must not delay later alerts.
            """
            CREATE TRIGGER alert_queued AFTER INSERT ON alert WHEN NEW.due IS NOT NULL BEGIN
                UPDATE channel SET tried = min(tried, NEW.created), \(next(tried: "min(tried, NEW.created)"))
                WHERE key = NEW.channel;
            END
            """,
        ]
        + [("moved", "UPDATE OF due, urgent, channel"), ("dropped", "DELETE")].map { name, change in
            let channels = name == "moved" ? "IN (OLD.channel, NEW.channel)" : "= OLD.channel"
            let condition = name == "moved" ? "OLD.due IS NOT NULL OR NEW.due IS NOT NULL" : "OLD.due IS NOT NULL"
            return """
                CREATE TRIGGER alert_\(name) AFTER \(change) ON alert WHEN \(condition) BEGIN
                    UPDATE channel SET \(next(tried: "tried")) WHERE key \(channels);
                END
                """
        }

    /// Assignments of the times when a channel's next urgent and other alerts are due.
    private static func next(tried: String) -> String {
        [(column: "next_urgent", isUrgent: 1), ("next_calm", 0)].map { column, isUrgent in
            """
            \(column) = (
                SELECT max(due, \(tried)) FROM alert
                WHERE alert.channel = channel.key AND urgent = \(isUrgent) AND due IS NOT NULL ORDER BY due LIMIT 1
            )
            """
        }
        .joined(separator: ", ")
    }
}
