extension Schema {
    /// Operators, their passkeys, and the browsers in which they are signed in.
    static let operators: [Table] = [
        Table(
            "operator",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            name TEXT NOT NULL
            created INTEGER NOT NULL
            revoked INTEGER
            """),
        passkeys("desk_passkey", of: "operator"),
        Table(
            "desk_session",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            -- Of the secret in the cookie.
            digest BLOB(32) NOT NULL UNIQUE
            operator INTEGER NOT NULL REFERENCES operator ON DELETE CASCADE
            name TEXT NOT NULL
            signed_in TEXT NOT NULL
            began INTEGER NOT NULL
            -- The last use; zero if it has ended by time and is about to be deleted.
            used INTEGER NOT NULL
            -- When a passkey or the token was last given, and which.
            proved INTEGER NOT NULL
            proof TEXT NOT NULL
            -- The passkey that opened the session, which ends with it.
            passkey INTEGER REFERENCES desk_passkey ON DELETE CASCADE
            INDEX desk_session_operator (operator, id)
            INDEX desk_session_passkey (passkey) WHERE passkey IS NOT NULL
            """),
    ]

    /// End the sessions and passkeys of a revoked operator, and note what has ended for restored backups.
    static let operatorTriggers: [Trigger] = [
        // Regardless of which program revokes an operator: the registry, or the command on its server.
        Trigger(
            "operator_revoked", "AFTER UPDATE OF revoked ON operator", when: "NEW.revoked IS NOT NULL",
            """
            DELETE FROM desk_session WHERE operator = NEW.key;
            DELETE FROM desk_passkey WHERE operator = NEW.key;
            """),
        .revoking("digest", of: "desk_passkey", at: "DELETE"),
        .revoking("digest", of: "desk_session", at: "DELETE", when: "OLD.used <> 0"),
    ]
}
