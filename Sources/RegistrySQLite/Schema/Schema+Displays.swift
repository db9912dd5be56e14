// Screens at venues that show the missing bikes that one station hears.
extension Schema {
    static let displays = [
        """
        CREATE TABLE display (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            station INTEGER NOT NULL REFERENCES station ON DELETE CASCADE,
            name TEXT NOT NULL,
            -- Kept after pairing, so that an attempt whose response was lost can be repeated.
            code BLOB NOT NULL UNIQUE CHECK (length(code) = 32),
            attempt BLOB CHECK (length(attempt) = 32),
            -- Of the secret; NULL until it is paired.
            digest BLOB UNIQUE CHECK (length(digest) = 32),
            created INTEGER NOT NULL,
            paired INTEGER,
            last_used INTEGER,
            -- The end of the code, then of the display; zero if it has ended and is about to be deleted.
            expires INTEGER NOT NULL,
            CHECK ((digest IS NULL) = (paired IS NULL))
        ) STRICT
        """,
        "CREATE INDEX display_station ON display (station, id)",
        "CREATE INDEX display_expires ON display (expires)",
        // Finds the bikes that are at a station now.
        "CREATE INDEX sighting_here ON sighting (station, last_seen) WHERE ended = 0",
        revoking("digest", of: "display", at: "DELETE", when: "OLD.digest IS NOT NULL AND OLD.expires <> 0"),
        revoking("digest", of: "display", at: "UPDATE OF digest", when: "OLD.digest <> NEW.digest"),
    ]
}
