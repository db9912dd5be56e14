extension Schema {
    /// The audit: a chain of salted commitments.
    static let audit: [Table] = [
        // The key is the index in the chain. If all columns but commitment and chain are empty, the entry is erased.
        Table(
            "audit",
            """
            key IDENTITY AUTOINCREMENT
            time INTEGER
            action TEXT
            principal TEXT
            owner BLOB
            bike BLOB
            report BLOB
            station BLOB
            details BLOB
            salt BLOB
            commitment BLOB(32) NOT NULL
            chain BLOB(32) NOT NULL
            -- The index of the erasure's entry that emptied this one.
            erasure INTEGER
            CHECK ((time IS NULL) = (salt IS NULL) AND (action IS NULL) = (salt IS NULL))
            INDEX audit_owner (owner) WHERE owner IS NOT NULL
            INDEX audit_erasure (erasure) WHERE erasure IS NOT NULL
            """),
        // The signed ends of the chain.
        Table(
            "audit_checkpoint",
            """
            length INTEGER PRIMARY KEY
            text TEXT NOT NULL
            signature TEXT NOT NULL
            """),
    ]

    /// Refuse every change of the audit except the erasure of an owner’s entries.
    static let auditTriggers: [Trigger] = [
        .refusing("audit_keeps_entries", "BEFORE DELETE ON audit"),
        // The only change that is allowed: emptying an entry that names an owner, with the later entry that records
        // this.
        .refusing(
            "audit_keeps_contents", "BEFORE UPDATE ON audit",
            when: """
                OLD.owner IS NULL OR NEW.key IS DISTINCT FROM OLD.key
                    OR NEW.commitment IS DISTINCT FROM OLD.commitment OR NEW.chain IS DISTINCT FROM OLD.chain
                    OR NEW.erasure IS NULL OR NEW.erasure <= OLD.key
                    OR NEW.time IS NOT NULL OR NEW.action IS NOT NULL OR NEW.principal IS NOT NULL
                    OR NEW.owner IS NOT NULL OR NEW.bike IS NOT NULL OR NEW.report IS NOT NULL
                    OR NEW.station IS NOT NULL OR NEW.details IS NOT NULL OR NEW.salt IS NOT NULL
                """),
        .refusing("audit_keeps_checkpoints", "BEFORE DELETE ON audit_checkpoint"),
        .refusing("audit_changes_no_checkpoints", "BEFORE UPDATE ON audit_checkpoint"),
    ]
}
