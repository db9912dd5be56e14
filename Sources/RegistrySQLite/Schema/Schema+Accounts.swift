extension Schema {
    /// Owners' data other than their tokens.
    static let accounts = [
        """
        CREATE TABLE recovery_code (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX recovery_code_owner ON recovery_code (owner)",
        """
        CREATE TABLE owner_invitation (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            code BLOB NOT NULL UNIQUE CHECK (length(code) = 32),
            expires INTEGER NOT NULL,
            accepted INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE identity_attempt (
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            time INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX identity_attempt_owner ON identity_attempt (owner, time)",
        "CREATE INDEX identity_attempt_time ON identity_attempt (time)",
        // Erasures that must be repeated after a backup is restored; the journal next to the database contains the
        // same.
        """
        CREATE TABLE erasure (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            subject BLOB NOT NULL CHECK (length(subject) = 16),
            time INTEGER NOT NULL
        ) STRICT
        """,
    ]

    /// Events of bikes other than being missing.
    static let history = [
        """
        CREATE TABLE bike_event (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            time INTEGER NOT NULL,
            event TEXT NOT NULL,
            beacon BLOB CHECK (length(beacon) = 20),
            message TEXT,
            contact TEXT
        ) STRICT
        """,
        "CREATE INDEX bike_event_bike ON bike_event (bike)",
        """
        CREATE TABLE transfer (
            bike INTEGER PRIMARY KEY REFERENCES bike ON DELETE CASCADE,
            code BLOB NOT NULL UNIQUE CHECK (length(code) = 32),
            expires INTEGER NOT NULL
        ) STRICT
        """,
        // Finds that have not been processed yet, whether the beacon is known or not.
        """
        CREATE TABLE find (
            key INTEGER PRIMARY KEY,
            beacon BLOB NOT NULL CHECK (length(beacon) = 20),
            message TEXT,
            contact TEXT,
            time INTEGER NOT NULL
        ) STRICT
        """,
    ]
}
