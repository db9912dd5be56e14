extension Schema {
    static let sightings = [
        // AUTOINCREMENT: owners page by the key, so that the key of a deleted row must not be reused. The place is what
        // the station reported; its place by enrolment is in station_place. revision is the number of the report's
        // change that last wrote the row; reasons are bits in the order of SightingReason.
        """
        CREATE TABLE sighting (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            station INTEGER NOT NULL REFERENCES station,
            visit BLOB NOT NULL CHECK (length(visit) = 16),
            stay BLOB NOT NULL CHECK (length(stay) = 16),
            beacon BLOB NOT NULL CHECK (length(beacon) = 20),
            report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE,
            received INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            reasons INTEGER NOT NULL,
            dismissed INTEGER,
            acknowledged INTEGER,
            -- The first sighting of those that share an alert with this one.
            thread INTEGER REFERENCES sighting ON DELETE SET NULL,
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,
            count INTEGER NOT NULL,
            rssi_min INTEGER,
            rssi_max INTEGER,
            measured_power INTEGER NOT NULL,
            proximity TEXT NOT NULL,
            latitude REAL,
            longitude REAL,
            accuracy REAL,
            ended INTEGER NOT NULL,
            time_uncertain INTEGER NOT NULL,
            answer TEXT,
            answered INTEGER,
            UNIQUE (station, visit),
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK ((rssi_min IS NULL) = (rssi_max IS NULL)),
            CHECK ((answer IS NULL) = (answered IS NULL))
        ) STRICT
        """,
        // There is no index by report and key: it would slow down every sighting, and a report's keys are quick to
        // sort.
        "CREATE INDEX sighting_revision ON sighting (report, revision)",
        // Finds the neighbours by which a sighting is judged.
        "CREATE INDEX sighting_neighbours ON sighting (report, station, last_seen)",
        "CREATE INDEX sighting_thread ON sighting (thread) WHERE thread IS NOT NULL",
        "CREATE INDEX sighting_stay ON sighting (station, stay)",
    ]

    /// A stay that continues after its report closed and the next one opened is a sighting of both. Alerts about late
    /// visits have a separate share.
    static let sightingsByReport =
        [
            """
            CREATE TABLE sighting_by_report (
                key INTEGER PRIMARY KEY AUTOINCREMENT,
                station INTEGER NOT NULL REFERENCES station,
                visit BLOB NOT NULL CHECK (length(visit) = 16),
                stay BLOB NOT NULL CHECK (length(stay) = 16),
                beacon BLOB NOT NULL CHECK (length(beacon) = 20),
                report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE,
                received INTEGER NOT NULL,
                revision INTEGER NOT NULL,
                reasons INTEGER NOT NULL,
                dismissed INTEGER,
                acknowledged INTEGER,
                -- The first sighting of those that share an alert with this one.
                thread INTEGER REFERENCES sighting ON DELETE SET NULL,
                first_seen INTEGER NOT NULL,
                last_seen INTEGER NOT NULL,
                count INTEGER NOT NULL,
                rssi_min INTEGER,
                rssi_max INTEGER,
                measured_power INTEGER NOT NULL,
                proximity TEXT NOT NULL,
                latitude REAL,
                longitude REAL,
                accuracy REAL,
                ended INTEGER NOT NULL,
                time_uncertain INTEGER NOT NULL,
                answer TEXT,
                answered INTEGER,
                UNIQUE (station, visit, report),
                CHECK ((latitude IS NULL) = (longitude IS NULL)),
                CHECK ((rssi_min IS NULL) = (rssi_max IS NULL)),
                CHECK ((answer IS NULL) = (answered IS NULL))
            ) STRICT
            """,
            "INSERT INTO sighting_by_report SELECT * FROM sighting",
            // The key of a deleted sighting must not be reused.
            """
            INSERT INTO sqlite_sequence (name, seq)
            SELECT 'sighting_by_report', 0
            WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'sighting_by_report')
            """,
            """
            UPDATE sqlite_sequence
            SET seq = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'sighting'), 0)
            WHERE name = 'sighting_by_report'
            """,
            "DROP TABLE sighting",
            "ALTER TABLE sighting_by_report RENAME TO sighting",
        ] + sightings.dropFirst() + [
            """
            CREATE TABLE alert_share (
                report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE,
                station INTEGER NOT NULL REFERENCES station,
                late INTEGER NOT NULL,
                since INTEGER NOT NULL,
                alerts INTEGER NOT NULL,
                PRIMARY KEY (report, station, late)
            ) STRICT, WITHOUT ROWID
            """,
            """
            INSERT INTO alert_share (report, station, late, since, alerts)
            SELECT report, station, 0, since, alerts FROM station_share
            """,
            "DROP TABLE station_share",
        ]
}
