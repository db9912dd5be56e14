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
        // When the bike got its newest number; whoever had a number first gets buyers' messages first.
        "ALTER TABLE bike ADD COLUMN numbered INTEGER NOT NULL DEFAULT 0",
        "UPDATE bike SET numbered = created",
        // A row is the owner's consent to let buyers check one of the bike's numbers.
        """
        CREATE TABLE bike_number (
            key INTEGER PRIMARY KEY,
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            -- NumberKey.digest
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            -- NumberKey.consent, a name for the journal of revocations.
            consent BLOB NOT NULL CHECK (length(consent) = 32),
            UNIQUE (bike, digest)
        ) STRICT
        """,
        "CREATE INDEX bike_number_digest ON bike_number (digest)",
        "CREATE INDEX bike_number_consent ON bike_number (consent)",
        // A restored backup must not let anybody check a bike again whose owner no longer allows it.
        revoking("consent", of: "bike_number", at: "DELETE", when: hasBike),
    ]
}
