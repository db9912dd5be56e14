extension Schema {
    /// Screens at venues that show the missing bikes that one station hears.
    static let displays: [Table] = [
        Table(
            "display",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            station INTEGER NOT NULL REFERENCES station ON DELETE CASCADE
            name TEXT NOT NULL
            -- Kept after pairing, so that an attempt whose response was lost can be repeated.
            code BLOB(32) NOT NULL UNIQUE
            attempt BLOB(32)
            -- Of the secret; NULL until it is paired.
            digest BLOB(32) UNIQUE
            created INTEGER NOT NULL
            paired INTEGER
            last_used INTEGER
            -- The end of the code, then of the display; zero if it has ended and is about to be deleted.
            expires INTEGER NOT NULL
            CHECK ((digest IS NULL) = (paired IS NULL))
            INDEX display_station (station, id)
            INDEX display_expires (expires)
            """)
    ]

    /// Note the secrets of displays that no longer work, for restored backups.
    static let displayTriggers: [Trigger] = [
        .revoking(
            "digest", of: "display", at: "DELETE", when: "OLD.digest IS NOT NULL AND OLD.expires <> 0"),
        .revoking("digest", of: "display", at: "UPDATE OF digest", when: "OLD.digest <> NEW.digest"),
    ]
}
