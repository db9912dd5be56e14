extension Schema {
    /// Tokens of all principals, and owners' passkeys. An owner's session is a token with an end.
    static let tokens: [Table] = [
        passkeys("passkey", of: "owner"),
        Table(
            "token",
            """
            digest BLOB(32) PRIMARY KEY
            owner INTEGER REFERENCES owner ON DELETE CASCADE
            operator INTEGER REFERENCES operator ON DELETE CASCADE
            station INTEGER REFERENCES station ON DELETE CASCADE
            -- An owner has several tokens, each with a name and a scope.
            id BLOB(16) UNIQUE
            name TEXT
            scope TEXT
            created INTEGER NOT NULL
            last_used INTEGER
            -- A session is an owner's token with an end; zero if it has expired and is about to be deleted.
            expires INTEGER
            -- SignInMethod's raw value.
            signed_in TEXT CHECK ((signed_in IS NULL) = (expires IS NULL) AND (expires IS NULL OR owner IS NOT NULL))
            -- When its user last showed a passkey or a recovery code.
            confirmed INTEGER
            -- The token or the passkey that opened the session, which ends with it.
            parent BLOB REFERENCES token (id) ON DELETE CASCADE
            passkey INTEGER REFERENCES passkey ON DELETE CASCADE
            CHECK ((owner IS NULL) = (id IS NULL))
            CHECK ((id IS NULL) = (name IS NULL) AND (id IS NULL) = (scope IS NULL))
            CHECK (\(exactlyOne("owner", "operator", "station")))
            INDEX token_owner (owner, id) WHERE owner IS NOT NULL
            INDEX token_operator (operator) WHERE operator IS NOT NULL
            INDEX token_station (station) WHERE station IS NOT NULL
            INDEX token_parent (parent) WHERE parent IS NOT NULL
            INDEX token_passkey (passkey) WHERE passkey IS NOT NULL
            INDEX token_expires (expires) WHERE expires IS NOT NULL
            """),
        Table(
            "revocation",
            """
            key IDENTITY AUTOINCREMENT
            digest BLOB(32) NOT NULL
            time INTEGER NOT NULL
            """),
    ]

    /// Passkeys of owners or operators, which are the same.
    static func passkeys(_ name: String, of account: String) -> Table {
        Table(
            name,
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            \(account) INTEGER NOT NULL REFERENCES \(account) ON DELETE CASCADE
            name TEXT NOT NULL
            -- The identifier that the authenticator chose, and its SHA-256.
            credential BLOB NOT NULL CHECK (length(credential) BETWEEN 1 AND 1023)
            digest BLOB(32) NOT NULL UNIQUE
            algorithm INTEGER NOT NULL
            public_key BLOB NOT NULL
            counter INTEGER NOT NULL
            -- The host for which it was made.
            relying_party TEXT NOT NULL
            created INTEGER NOT NULL
            last_used INTEGER
            INDEX \(name)_\(account) (\(account), id)
            """)
    }

    /// Note tokens and passkeys that no longer work, for restored backups.
    static let tokenTriggers: [Trigger] = [
        .revoking("digest", of: "passkey", at: "DELETE", when: Trigger.hasOwner),
        .revoking("digest", of: "token", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
        .revoking(
            "digest", of: "token", at: "DELETE",
            when: "OLD.expires IS DISTINCT FROM 0 AND (OLD.owner IS NULL OR \(Trigger.hasOwner))"),
    ]
}
