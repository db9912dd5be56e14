extension Schema {
    /// Alerts, and the order in which they are due.
    static let alerts: [Table] = [
        // While an alert waits, due is the time of its next attempt; a claim moves it to the end of the lease. The
        // alert is about a sighting, a notice as JSON, or the digest of a report's sightings.
        Table(
            "alert",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            sighting INTEGER REFERENCES sighting ON DELETE CASCADE
            notice BLOB
            report INTEGER REFERENCES report ON DELETE CASCADE
            channel INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE
            urgent INTEGER NOT NULL
            -- The first sighting of those that share one alert.
            thread INTEGER REFERENCES sighting ON DELETE CASCADE
            -- The new level, in an update of an earlier alert; empty in the first alert.
            news TEXT NOT NULL DEFAULT ''
            -- The sighting's reasons in its last alert, as bits.
            told INTEGER
            -- The alert that contains a sighting that was held back.
            digest INTEGER REFERENCES alert ON DELETE SET NULL
            -- The channel's: alerts are claimed by kind.
            kind TEXT NOT NULL
            created INTEGER NOT NULL
            due INTEGER
            attempts INTEGER NOT NULL DEFAULT 0
            delivered INTEGER
            last_error TEXT
            claimed INTEGER
            UNIQUE (sighting, channel, news)
            CHECK (\(exactlyOne("sighting", "notice", "report")))
            INDEX alert_thread (thread) WHERE thread IS NOT NULL
            INDEX alert_digest (digest) WHERE digest IS NOT NULL
            INDEX alert_report (report) WHERE report IS NOT NULL
            INDEX alert_channel (channel, id)
            INDEX alert_told (created) WHERE notice IS NOT NULL AND due IS NULL
            INDEX alert_waiting (channel, urgent, due) WHERE due IS NOT NULL
            INDEX alert_oldest (kind, created) WHERE due IS NOT NULL
            """),
        // The number of alerts of a report that a station has caused since a time. Alerts about late visits have a
        // separate share.
        Table(
            "alert_share",
            """
            report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE
            station INTEGER NOT NULL REFERENCES station
            late INTEGER NOT NULL
            since INTEGER NOT NULL
            alerts INTEGER NOT NULL
            PRIMARY KEY (report, station, late)
            """),
    ]

    /// The triggers that keep `next_urgent` and `next_calm` of each channel: when its next urgent and its next other
    /// alert are due.
    static let alertTriggers: [Trigger] = [
        // A clock that was ahead when a channel was last tried must not delay later alerts.
        Trigger("alert_queued", "AFTER INSERT ON alert", when: "NEW.due IS NOT NULL") { dialect in
            let tried = "\(dialect.least)(tried, NEW.created)"
            return """
                UPDATE channel SET tried = \(tried), \(nextAlerts(tried: tried, dialect))
                WHERE key = NEW.channel;
                """
        },
        Trigger(
            "alert_moved", "AFTER UPDATE OF due, urgent, channel ON alert",
            when: "OLD.due IS NOT NULL OR NEW.due IS NOT NULL"
        ) { dialect in
            """
            UPDATE channel SET \(nextAlerts(tried: "tried", dialect))
            WHERE key IN (OLD.channel, NEW.channel);
            """
        },
        Trigger("alert_dropped", "AFTER DELETE ON alert", when: "OLD.due IS NOT NULL") { dialect in
            "UPDATE channel SET \(nextAlerts(tried: "tried", dialect)) WHERE key = OLD.channel;"
        },
    ]

    /// Assignments of the times when a channel's next urgent and other alerts are due.
    private static func nextAlerts(tried: String, _ dialect: Dialect) -> String {
        [(column: "next_urgent", isUrgent: 1), ("next_calm", 0)].map { column, isUrgent in
            """
            \(column) = (
                SELECT \(dialect.greatest)(due, \(tried)) FROM alert
                WHERE alert.channel = channel.key AND urgent = \(isUrgent) AND due IS NOT NULL ORDER BY due LIMIT 1
            )
            """
        }
        .joined(separator: ", ")
    }
}

extension Dialect {
    /// The functions that return the least and the greatest of several values.
    fileprivate var least: String { self == .sqlite ? "min" : "least" }
    fileprivate var greatest: String { self == .sqlite ? "max" : "greatest" }
}
