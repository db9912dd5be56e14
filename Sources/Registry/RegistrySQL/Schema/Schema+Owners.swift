extension Schema {
    /// Owners, their limits, and the ways into an account.
    static let owners: [Table] = [
        Table(
            "owner",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            created INTEGER NOT NULL
            tells_appearance INTEGER NOT NULL
            language TEXT NOT NULL DEFAULT 'en'
            zone TEXT
            -- Minutes of the day in that zone.
            quiet_from INTEGER
            quiet_to INTEGER
            suspended INTEGER
            -- The number of reports it ever opened, and how many of them have no confirmed police reference. Erasing
            -- a bike does not reduce them.
            reports INTEGER NOT NULL DEFAULT 0
            unconfirmed INTEGER NOT NULL DEFAULT 0
            CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
            INDEX owner_unconfirmed (unconfirmed, id)
            """),
        // The quotas that an operator set for one owner in place of the settings.
        Table(
            "owner_quota",
            """
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            quota TEXT NOT NULL
            most INTEGER NOT NULL
            PRIMARY KEY (owner, quota)
            """),
        // An owner's uses of daily limits in the last 24 hours.
        Table(
            "daily_use",
            """
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            use TEXT NOT NULL
            time INTEGER NOT NULL
            INDEX daily_use_owner (owner, use, time)
            INDEX daily_use_time (time)
            """),
        Table(
            "recovery_code",
            """
            digest BLOB(32) PRIMARY KEY
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            INDEX recovery_code_owner (owner)
            """),
        Table(
            "owner_invitation",
            """
            id BLOB(16) PRIMARY KEY
            code BLOB(32) NOT NULL UNIQUE
            expires INTEGER NOT NULL
            accepted INTEGER
            """),
        // Erasures that must be repeated after a backup is restored; the journal next to the database contains the
        // same.
        Table(
            "erasure",
            """
            key IDENTITY AUTOINCREMENT
            kind TEXT NOT NULL
            subject BLOB(16) NOT NULL
            time INTEGER NOT NULL
            """),
        Table(
            "once",
            """
            principal BLOB NOT NULL
            key TEXT NOT NULL
            request BLOB(32) NOT NULL
            resource BLOB(16) NOT NULL
            created INTEGER NOT NULL
            PRIMARY KEY (principal, key)
            INDEX once_created (created)
            """),
    ]

    /// Owners whom an operator has verified.
    static let verifiedOwners = Table(
        "owner",
        """
        -- The time since which an operator knows who the owner is: a verified owner.
        known INTEGER
        """)

    /// Note recovery codes and invitations that were used, for restored backups.
    static let ownerTriggers: [Trigger] = [
        .revoking("digest", of: "recovery_code", at: "DELETE", when: Trigger.hasOwner),
        .revoking(
            "code", of: "owner_invitation", at: "UPDATE OF code, accepted",
            when: "NEW.code <> OLD.code OR (OLD.accepted IS NULL AND NEW.accepted IS NOT NULL)"),
    ]
}
