// Claims of owners to beacons with identities that they gave.
extension Schema {
    /// Existing bikes keep the identities that were given for them, and need no proof.
    static let claims = [
        """
        CREATE TABLE beacon_claim (
            bike INTEGER PRIMARY KEY REFERENCES bike ON DELETE CASCADE,
            -- NULL once an operator has refused it.
            claimed BLOB CHECK (length(claimed) = 20),
            since INTEGER NOT NULL,
            -- The time until which stations listen for the bike's identity; NULL while no test runs.
            test_ends INTEGER
        ) STRICT
        """,
        "CREATE INDEX beacon_claim_test ON beacon_claim (test_ends) WHERE test_ends IS NOT NULL",
        touching(
            "claim_updated", "UPDATE OF test_ends ON beacon_claim", "SELECT beacon FROM bike WHERE key = NEW.bike"),
        touching("claim_deleted", "DELETE ON beacon_claim", "SELECT beacon FROM bike WHERE key = OLD.bike"),
        // A response no longer shows whether a given identity is taken, so that guessing reveals nothing.
        "DROP TABLE identity_attempt",
    ]
}
