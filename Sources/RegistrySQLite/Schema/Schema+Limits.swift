// Limits on owners' resources, on the duration of searches, and on messages to others.
extension Schema {
    static let limits = [
        "ALTER TABLE owner ADD COLUMN suspended INTEGER",
        // The number of reports it ever opened, and how many of them have no confirmed police reference. Erasing a bike
        // does not reduce them.
        "ALTER TABLE owner ADD COLUMN reports INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE owner ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0",
        """
        UPDATE owner SET reports = counted.reports, unconfirmed = counted.reports
        FROM (
            SELECT bike.owner, count(*) AS reports FROM report JOIN bike ON bike.key = report.bike GROUP BY bike.owner
        ) AS counted
        WHERE counted.owner = owner.key
        """,
        "CREATE INDEX owner_unconfirmed ON owner (unconfirmed, id)",
        // The quotas that an operator set for one owner in place of the settings.
        """
        CREATE TABLE owner_quota (
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            quota TEXT NOT NULL,
            most INTEGER NOT NULL,
            PRIMARY KEY (owner, quota)
        ) STRICT, WITHOUT ROWID
        """,
        // An owner's uses of daily limits in the last 24 hours.
        """
        CREATE TABLE daily_use (
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            use TEXT NOT NULL,
            time INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX daily_use_owner ON daily_use (owner, use, time)",
        "CREATE INDEX daily_use_time ON daily_use (time)",
        // The number of notices of a kind, and if they are about a bike, of that bike, that an owner got in a window,
        // and the notices held back. Bike: 16 bytes, or empty.
        """
        CREATE TABLE notice_rate (
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            event TEXT NOT NULL,
            bike BLOB NOT NULL,
            until INTEGER NOT NULL,
            told INTEGER NOT NULL,
            held INTEGER NOT NULL DEFAULT 0,
            -- The last notice that was held back, as JSON.
            notice BLOB,
            urgent INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (owner, event, bike)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX notice_rate_until ON notice_rate (until)",
        "CREATE INDEX bike_event_found ON bike_event (bike, time) WHERE event = 'found'",
        "ALTER TABLE operator ADD COLUMN revoked INTEGER",
        // The time since which an operator keeps the beacon off the missing list.
        "ALTER TABLE identity ADD COLUMN stopped INTEGER",
        // Milliseconds for which the beacon was searched for, over all its reports: without a police reference, and
        // with a police reference that nobody has confirmed.
        "ALTER TABLE identity ADD COLUMN searched_on_word INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE identity ADD COLUMN searched_on_reference INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE report ADD COLUMN confirmed INTEGER",
        // The time since which the open search counts against the beacon's days; NULL if it does not.
        "ALTER TABLE report ADD COLUMN counted_since INTEGER",
        "ALTER TABLE report ADD COLUMN search_end_told INTEGER",
        """
        UPDATE identity SET searched_on_word = used.days
        FROM (
            SELECT bike.beacon, sum(max(0, min(closed, sightings_until) - opened)) AS days
            FROM report JOIN bike ON bike.key = report.bike
            WHERE closed IS NOT NULL AND sightings_until IS NOT NULL AND bike.beacon IS NOT NULL GROUP BY bike.beacon
        ) AS used
        WHERE used.beacon = identity.beacon
        """,
        "UPDATE report SET counted_since = opened WHERE closed IS NULL AND listed = 1 AND sightings_until IS NOT NULL",
        // References used to be trusted without limit: their 30 days begin now.
        """
        UPDATE report SET counted_since = unixepoch() * 1000, sightings_until = (unixepoch() + 30 * 86400) * 1000
        WHERE closed IS NULL AND listed = 1 AND sightings_until IS NULL
        """,
        """
        CREATE INDEX report_search_end ON report (sightings_until)
        WHERE closed IS NULL AND listed = 1 AND search_end_told IS NULL
        """,
    ]
}
