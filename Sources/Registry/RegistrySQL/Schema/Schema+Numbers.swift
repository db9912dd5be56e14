extension Schema {
    /// The numbers of bikes that buyers can check.
    static let numbers: [Table] = [
        // The key of the hashes below.
        Table(
            "number_key",
            """
            key INTEGER PRIMARY KEY CHECK (key = 1)
            secret BLOB(32) NOT NULL
            """),
        // The numbers that a bike has or had. They stay, so that a number that comes back keeps its time.
        Table(
            "bike_number",
            """
            key IDENTITY
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE
            -- NumberKey.digest
            digest BLOB(32) NOT NULL
            -- When the bike first had the number: whoever had it first gets buyers' messages first.
            since INTEGER NOT NULL
            -- NumberKey.consent, a name for the journal of revocations; NULL unless the bike has the number now, and
            -- its owner lets buyers check it.
            consent BLOB(32)
            -- NumberKey.foldedDigest, for numbers that somebody may have misread.
            folded BLOB(32)
            UNIQUE (bike, digest)
            INDEX bike_number_digest (digest, since) WHERE consent IS NOT NULL
            INDEX bike_number_consent (consent) WHERE consent IS NOT NULL
            INDEX bike_number_folded (folded, since) WHERE consent IS NOT NULL
            """),
    ]

    /// Note consents that owners have withdrawn.
    static let numberTriggers: [Trigger] = [
        // A restored backup must not let anyone check a bike whose owner no longer allows it.
        .revoking(
            "consent", of: "bike_number", at: "DELETE", when: "OLD.consent IS NOT NULL AND \(Trigger.hasBike)"),
        .revoking(
            "consent", of: "bike_number", at: "UPDATE OF consent",
            when: "OLD.consent IS NOT NULL AND NEW.consent IS DISTINCT FROM OLD.consent"),
    ]
}
