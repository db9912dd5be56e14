import GRDB

/// The tables, step by step: a step that was released never changes.
///
/// Rows refer to each other by small integer keys; the 128-bit identifiers of the outside stand once in each table.
/// Times are milliseconds since the Unix epoch. A beacon's identity is its 20 transmitted bytes.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            for statement in principals + bikes + sightings + alerts + audit { try db.execute(sql: statement) }
        }
        migrator.registerMigration("missing list journal") { db in
            for statement in missingList { try db.execute(sql: statement) }
        }
        return migrator
    }

    private static let principals = [
        """
        CREATE TABLE owner (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            created INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE operator (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            name TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE station (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            name TEXT NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            accuracy REAL,
            enrolled INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE token (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            owner INTEGER REFERENCES owner ON DELETE CASCADE,
            operator INTEGER REFERENCES operator ON DELETE CASCADE,
            station INTEGER REFERENCES station ON DELETE CASCADE,
            created INTEGER NOT NULL,
            CHECK ((owner IS NOT NULL) + (operator IS NOT NULL) + (station IS NOT NULL) = 1)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX token_owner ON token (owner) WHERE owner IS NOT NULL",
        "CREATE INDEX token_operator ON token (operator) WHERE operator IS NOT NULL",
        "CREATE INDEX token_station ON token (station) WHERE station IS NOT NULL",
        """
        CREATE TABLE invitation (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            name TEXT NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            accuracy REAL,
            code BLOB NOT NULL UNIQUE CHECK (length(code) = 32),
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            station INTEGER REFERENCES station
        ) STRICT
        """,
        "CREATE INDEX invitation_station ON invitation (station) WHERE station IS NOT NULL",
        """
        CREATE TABLE once (
            principal BLOB NOT NULL,
            key TEXT NOT NULL,
            request BLOB NOT NULL CHECK (length(request) = 32),
            resource BLOB NOT NULL CHECK (length(resource) = 16),
            created INTEGER NOT NULL,
            PRIMARY KEY (principal, key)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX once_created ON once (created)",
    ]

    private static let bikes = [
        // A row stays when its bike goes: an identity is never issued or claimed again.
        """
        CREATE TABLE identity (
            beacon BLOB PRIMARY KEY CHECK (length(beacon) = 20),
            issued INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE bike (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            owner INTEGER NOT NULL REFERENCES owner,
            beacon BLOB NOT NULL UNIQUE REFERENCES identity,
            kind TEXT NOT NULL,
            make TEXT NOT NULL,
            model TEXT NOT NULL,
            colours TEXT NOT NULL,
            year INTEGER,
            serial TEXT,
            vin TEXT,
            plate TEXT,
            notes TEXT,
            created INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX bike_owner ON bike (owner, id)",
        """
        CREATE TABLE report (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            bike INTEGER NOT NULL REFERENCES bike,
            opened INTEGER NOT NULL,
            missing_since INTEGER NOT NULL,
            latitude REAL,
            longitude REAL,
            accuracy REAL,
            police_reference TEXT,
            note TEXT,
            closed INTEGER,
            outcome TEXT,
            closure_note TEXT,
            CHECK ((closed IS NULL) = (outcome IS NULL)),
            CHECK ((latitude IS NULL) = (longitude IS NULL))
        ) STRICT
        """,
        "CREATE INDEX report_bike ON report (bike, id)",
        "CREATE UNIQUE INDEX report_open ON report (bike) WHERE closed IS NULL",
        """
        CREATE TABLE missing_list (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            version INTEGER NOT NULL
        ) STRICT
        """,
        "INSERT INTO missing_list (key, version) VALUES (1, 0)",
    ]

    private static let sightings = [
        // AUTOINCREMENT: the key is the order in which an owner pages, so that a deleted one must not come again.
        """
        CREATE TABLE sighting (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            station INTEGER NOT NULL REFERENCES station,
            visit BLOB NOT NULL CHECK (length(visit) = 16),
            stay BLOB NOT NULL CHECK (length(stay) = 16),
            beacon BLOB NOT NULL CHECK (length(beacon) = 20),
            report INTEGER NOT NULL REFERENCES report,
            received INTEGER NOT NULL,
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
            UNIQUE (station, visit),
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK ((rssi_min IS NULL) = (rssi_max IS NULL))
        ) STRICT
        """,
        "CREATE INDEX sighting_report ON sighting (report)",
        "CREATE INDEX sighting_stay ON sighting (station, stay)",
    ]

    private static let alerts = [
        """
        CREATE TABLE channel (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            owner INTEGER NOT NULL REFERENCES owner,
            kind TEXT NOT NULL,
            url TEXT NOT NULL,
            secret BLOB NOT NULL,
            created INTEGER NOT NULL,
            last_error TEXT
        ) STRICT
        """,
        "CREATE INDEX channel_owner ON channel (owner, id)",
        // While an alert waits, due says when it is tried next; a claim moves it to the end of the lease.
        """
        CREATE TABLE alert (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            sighting INTEGER REFERENCES sighting ON DELETE CASCADE,
            -- What is told where it is no sighting, as JSON.
            notice BLOB,
            channel INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE,
            created INTEGER NOT NULL,
            due INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            delivered INTEGER,
            last_error TEXT,
            UNIQUE (sighting, channel),
            CHECK ((sighting IS NULL) <> (notice IS NULL))
        ) STRICT
        """,
        "CREATE INDEX alert_due ON alert (due) WHERE due IS NOT NULL",
        "CREATE INDEX alert_channel ON alert (channel)",
    ]

    private static let audit = [
        """
        CREATE TABLE audit (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            time INTEGER NOT NULL,
            action TEXT NOT NULL,
            principal BLOB,
            owner BLOB,
            bike BLOB,
            report BLOB,
            station BLOB,
            details BLOB NOT NULL
        ) STRICT
        """
    ]
}
