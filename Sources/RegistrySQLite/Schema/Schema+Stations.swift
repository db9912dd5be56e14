extension Schema {
    static let stations = [
        // The version counts the changes by operators; app marks the station that represents the original app's users.
        """
        CREATE TABLE station (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            name TEXT NOT NULL,
            venue TEXT NOT NULL,
            mobile INTEGER NOT NULL,
            app INTEGER NOT NULL DEFAULT 0,
            enrolled INTEGER NOT NULL,
            revoked INTEGER,
            -- The earliest time of a last hearing that is not trusted.
            quarantined_since INTEGER,
            version INTEGER NOT NULL DEFAULT 1
        ) STRICT
        """,
        // The place of a station from a time on; the first place holds from the beginning of time.
        """
        CREATE TABLE station_place (
            station INTEGER NOT NULL REFERENCES station,
            since INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            accuracy REAL,
            PRIMARY KEY (station, since)
        ) STRICT, WITHOUT ROWID
        """,
        // Stations that were moved, renamed or put under quarantine, while their sightings are judged again.
        """
        CREATE TABLE station_judgement (
            station INTEGER PRIMARY KEY REFERENCES station,
            -- The earliest time of a last hearing that is judged.
            since INTEGER NOT NULL,
            began INTEGER NOT NULL,
            -- The visit that was judged last.
            visit BLOB NOT NULL,
            -- The number of sightings judged so far.
            judged INTEGER NOT NULL
        ) STRICT
        """,
        // Rewritten every few minutes, therefore kept apart from the station.
        """
        CREATE TABLE station_heartbeat (
            station INTEGER PRIMARY KEY REFERENCES station,
            received INTEGER NOT NULL,
            heartbeat BLOB NOT NULL
        ) STRICT
        """,
        // The number of different reports for which a station sent visits in an hour of the visits' own time.
        """
        CREATE TABLE station_hour (
            station INTEGER NOT NULL REFERENCES station,
            hour INTEGER NOT NULL,
            reports INTEGER NOT NULL,
            reports_everything INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (station, hour)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE invitation (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            name TEXT NOT NULL,
            venue TEXT NOT NULL,
            mobile INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            accuracy REAL,
            code BLOB NOT NULL UNIQUE CHECK (length(code) = 32),
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            station INTEGER REFERENCES station,
            attempt BLOB CHECK (length(attempt) = 32)
        ) STRICT
        """,
        "CREATE INDEX invitation_station ON invitation (station) WHERE station IS NOT NULL",
    ]
}
