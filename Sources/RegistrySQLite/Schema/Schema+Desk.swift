// The browsers in which operators are signed in, operators' passkeys, and what the overview counts.
extension Schema {
    static let desk = [
        """
        CREATE TABLE desk_passkey (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            operator INTEGER NOT NULL REFERENCES operator ON DELETE CASCADE,
            name TEXT NOT NULL,
            -- The identifier that the authenticator chose, and its SHA-256.
            credential BLOB NOT NULL CHECK (length(credential) BETWEEN 1 AND 1023),
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            algorithm INTEGER NOT NULL,
            public_key BLOB NOT NULL,
            counter INTEGER NOT NULL,
            -- The host for which it was made.
            relying_party TEXT NOT NULL,
            created INTEGER NOT NULL,
            last_used INTEGER
        ) STRICT
        """,
        "CREATE INDEX desk_passkey_operator ON desk_passkey (operator, id)",
        """
        CREATE TABLE desk_session (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            -- Of the secret in the cookie.
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            operator INTEGER NOT NULL REFERENCES operator ON DELETE CASCADE,
            name TEXT NOT NULL,
            signed_in TEXT NOT NULL,
            began INTEGER NOT NULL,
            -- The last use; zero if it has ended by time and is about to be deleted.
            used INTEGER NOT NULL,
            -- When a passkey or the token was last given, and which.
            proved INTEGER NOT NULL,
            proof TEXT NOT NULL,
            -- The passkey that opened the session, which ends with it.
            passkey INTEGER REFERENCES desk_passkey ON DELETE CASCADE
        ) STRICT
        """,
        "CREATE INDEX desk_session_operator ON desk_session (operator, id)",
        "CREATE INDEX desk_session_passkey ON desk_session (passkey) WHERE passkey IS NOT NULL",
        // Regardless of which program revokes an operator: the registry, or the command on its server.
        """
        CREATE TRIGGER operator_revoked AFTER UPDATE OF revoked ON operator WHEN NEW.revoked IS NOT NULL BEGIN
            DELETE FROM desk_session WHERE operator = NEW.key;
            DELETE FROM desk_passkey WHERE operator = NEW.key;
        END
        """,
        revoking("digest", of: "desk_passkey", at: "DELETE", when: "TRUE"),
        revoking("digest", of: "desk_session", at: "DELETE", when: "OLD.used <> 0"),
        // Failed deliveries by hour (of the Unix time), and the last one of that hour.
        """
        CREATE TABLE delivery_error (
            kind TEXT NOT NULL,
            hour INTEGER NOT NULL,
            errors INTEGER NOT NULL,
            last INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (kind, hour)
        ) STRICT, WITHOUT ROWID
        """,
        // What the overview counts; only rows that wait for something are in these.
        "CREATE INDEX alert_oldest ON alert (kind, created) WHERE due IS NOT NULL",
        "CREATE INDEX beacon_claim_waiting ON beacon_claim (bike) WHERE claimed IS NOT NULL",
        """
        CREATE INDEX report_reference ON report (id)
        WHERE closed IS NULL AND confirmed IS NULL AND police_reference IS NOT NULL
        """,
        // The bits of the reasons that contradict a sighting (SightingReason).
        "CREATE INDEX sighting_disputed ON sighting (received, reasons) WHERE (reasons & 252) <> 0",
    ]
}
