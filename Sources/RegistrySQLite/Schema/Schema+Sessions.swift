// The browsers in which owners are signed in, and owners' passkeys.
extension Schema {
    static let sessions = [
        """
        CREATE TABLE passkey (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
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
        "CREATE INDEX passkey_owner ON passkey (owner, id)",
        // A session is an owner's token with an end; zero if it has expired and is about to be deleted.
        "ALTER TABLE token ADD COLUMN expires INTEGER",
        // SignInMethod's raw value.
        """
        ALTER TABLE token ADD COLUMN signed_in TEXT
            CHECK ((signed_in IS NULL) = (expires IS NULL) AND (expires IS NULL OR owner IS NOT NULL))
        """,
        // When its user last showed a passkey or a recovery code.
        "ALTER TABLE token ADD COLUMN confirmed INTEGER",
        // The token or the passkey that opened the session, which ends with it.
        "ALTER TABLE token ADD COLUMN parent BLOB REFERENCES token (id) ON DELETE CASCADE",
        "ALTER TABLE token ADD COLUMN passkey INTEGER REFERENCES passkey ON DELETE CASCADE",
        "CREATE INDEX token_parent ON token (parent) WHERE parent IS NOT NULL",
        "CREATE INDEX token_passkey ON token (passkey) WHERE passkey IS NOT NULL",
        "CREATE INDEX token_expires ON token (expires) WHERE expires IS NOT NULL",
        "DROP TRIGGER token_revoked_by_delete",
        revoking(
            "digest", of: "token", at: "DELETE",
            when: "OLD.expires IS NOT 0 AND (OLD.owner IS NULL OR \(hasOwner))"),
        revoking("digest", of: "passkey", at: "DELETE", when: hasOwner),
    ]
}
