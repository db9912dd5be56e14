// The numbers of bikes that buyers can check.
extension Schema {
    static let numbers = [
        // The key of the hashes below, made by the migration.
        """
        CREATE TABLE number_key (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            secret BLOB NOT NULL CHECK (length(secret) = 32)
        ) STRICT
        """,
        // The numbers that a bike has or had. They stay, so that a number that comes back keeps its time.
        """
        CREATE TABLE bike_number (
            key INTEGER PRIMARY KEY,
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            -- NumberKey.digest
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            -- When the bike first had the number: whoever had it first gets buyers' messages first.
            since INTEGER NOT NULL,
            -- NumberKey.consent, a name for the journal of revocations; NULL unless the bike has the number now, and its
            -- owner lets buyers check it.
            consent BLOB CHECK (length(consent) = 32),
            UNIQUE (bike, digest)
        ) STRICT
        """,
        "CREATE INDEX bike_number_digest ON bike_number (digest, since) WHERE consent IS NOT NULL",
        "CREATE INDEX bike_number_consent ON bike_number (consent) WHERE consent IS NOT NULL",
        // A restored backup must not let anybody check a bike again whose owner no longer allows it.
        revoking("consent", of: "bike_number", at: "DELETE", when: "OLD.consent IS NOT NULL AND \(hasBike)"),
        revoking(
            "consent", of: "bike_number", at: "UPDATE OF consent",
            when: "OLD.consent IS NOT NULL AND NEW.consent IS NOT OLD.consent"),
    ]

    /// The look-up of numbers that somebody may have misread.
    static let foldedNumbers = [
        // NumberKey.foldedDigest; NULL if an upgrade found that the bike no longer has the number.
        "ALTER TABLE bike_number ADD COLUMN folded BLOB CHECK (length(folded) = 32)",
        "CREATE INDEX bike_number_folded ON bike_number (folded, since) WHERE consent IS NOT NULL",
    ]
}
