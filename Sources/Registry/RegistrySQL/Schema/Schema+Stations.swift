extension Schema {
    /// Stations, their places, and what they heard.
    static let stations: [Table] = [
        // The version counts the changes by operators; app marks the station that represents the original app's users.
        Table(
            "station",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            name TEXT NOT NULL
            venue TEXT NOT NULL
            mobile INTEGER NOT NULL
            app INTEGER NOT NULL DEFAULT 0
            enrolled INTEGER NOT NULL
            revoked INTEGER
            -- The earliest time of a last hearing that is not trusted.
            quarantined_since INTEGER
            version INTEGER NOT NULL DEFAULT 1
            """),
        // The place of a station from a time on; the first place applies from the beginning of time.
        Table(
            "station_place",
            """
            station INTEGER NOT NULL REFERENCES station
            since INTEGER NOT NULL
            latitude REAL NOT NULL
            longitude REAL NOT NULL
            accuracy REAL
            -- The audit's entry that records the place.
            entry INTEGER
            PRIMARY KEY (station, since)
            INDEX station_place_latitude (latitude, longitude)
            """),
        // Stations that were moved, renamed or put under quarantine, while their sightings are judged again.
        Table(
            "station_judgement",
            """
            station INTEGER PRIMARY KEY REFERENCES station
            -- The earliest time of a last hearing that is judged.
            since INTEGER NOT NULL
            began INTEGER NOT NULL
            -- The visit that was judged last.
            visit BLOB NOT NULL
            -- The number of sightings judged so far.
            judged INTEGER NOT NULL
            """),
        // Rewritten every few minutes, therefore kept apart from the station.
        Table(
            "station_heartbeat",
            """
            station INTEGER PRIMARY KEY REFERENCES station
            received INTEGER NOT NULL
            heartbeat BLOB NOT NULL
            -- Whether the last heartbeat says that no receiver works.
            deaf INTEGER NOT NULL DEFAULT 0
            """),
        // The number of different reports for which a station sent visits in an hour of the visits' own time.
        Table(
            "station_hour",
            """
            station INTEGER NOT NULL REFERENCES station
            hour INTEGER NOT NULL
            reports INTEGER NOT NULL
            reports_everything INTEGER NOT NULL DEFAULT 0
            PRIMARY KEY (station, hour)
            """),
        Table(
            "station_coverage",
            """
            key IDENTITY
            station INTEGER NOT NULL REFERENCES station ON DELETE CASCADE
            -- Days since 1970-01-01, in UTC.
            day INTEGER NOT NULL
            -- See PackedCoverage.
            quarters BLOB NOT NULL
            UNIQUE (station, day)
            INDEX station_coverage_day (day)
            """),
        Table(
            "invitation",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            name TEXT NOT NULL
            venue TEXT NOT NULL
            mobile INTEGER NOT NULL
            latitude REAL NOT NULL
            longitude REAL NOT NULL
            accuracy REAL
            code BLOB(32) NOT NULL UNIQUE
            created INTEGER NOT NULL
            expires INTEGER NOT NULL
            station INTEGER REFERENCES station
            attempt BLOB(32)
            INDEX invitation_station (station) WHERE station IS NOT NULL
            """),
    ]

    /// Note codes of invitations that were used or cancelled, for restored backups.
    static let stationTriggers: [Trigger] = [
        .revoking("code", of: "invitation", at: "DELETE", when: "OLD.station IS NULL"),
        .revoking(
            "code", of: "invitation", at: "UPDATE OF code, station",
            when: "NEW.code <> OLD.code OR (OLD.station IS NULL AND NEW.station IS NOT NULL)"),
    ]
}
