// The audit: a chain of salted commitments.
extension Schema {
    static let audit: [String] = [
        // The key is the index in the chain, which the chain assigns: a sequence would also count entries that were
        // rolled back. If all columns but commitment and chain are empty, the entry is erased.
        """
        CREATE TABLE audit (
            key bigint PRIMARY KEY,
            time bigint,
            action text COLLATE "C",
            principal text COLLATE "C",
            owner bytea,
            bike bytea,
            report bytea,
            station bytea,
            details bytea,
            salt bytea,
            commitment bytea NOT NULL CHECK (length(commitment) = 32),
            chain bytea NOT NULL CHECK (length(chain) = 32),
            -- The index of the erasure's entry that emptied this one.
            erasure bigint,
            CHECK ((time IS NULL) = (salt IS NULL) AND (action IS NULL) = (salt IS NULL))
        )
        """,
        "CREATE INDEX audit_owner ON audit (owner) WHERE owner IS NOT NULL",
        "CREATE INDEX audit_erasure ON audit (erasure) WHERE erasure IS NOT NULL",
        // The number of entries ever appended, so that missing last rows are detected. Its only row is also the lock
        // by which groups of changes take turns (WritingConnection.takeTurn).
        """
        CREATE TABLE audit_head (
            key bigint PRIMARY KEY CHECK (key = 1),
            length bigint NOT NULL
        )
        """,
        "INSERT INTO audit_head (key, length) VALUES (1, 0)",
        // The signed ends of the chain.
        """
        CREATE TABLE audit_checkpoint (
            length bigint PRIMARY KEY,
            text text COLLATE "C" NOT NULL,
            signature text COLLATE "C" NOT NULL
        )
        """,
    ]

    static let auditTriggers = all(
        refusing("audit_keeps_entries", "BEFORE DELETE ON audit"),
        // The only change that is allowed: emptying an entry that names an owner, with the later entry that records
        // this.
        refusing(
            "audit_keeps_contents", "BEFORE UPDATE ON audit",
            when: """
                OLD.owner IS NULL OR NEW.key IS DISTINCT FROM OLD.key OR NEW.commitment IS DISTINCT FROM OLD.commitment
                    OR NEW.chain IS DISTINCT FROM OLD.chain OR NEW.erasure IS NULL OR NEW.erasure <= OLD.key
                    OR num_nonnulls(NEW.time, NEW.action, NEW.principal, NEW.owner, NEW.bike, NEW.report,
                        NEW.station, NEW.details, NEW.salt) > 0
                """
        ),
        refusing("audit_keeps_checkpoints", "BEFORE DELETE ON audit_checkpoint"),
        refusing("audit_changes_no_checkpoints", "BEFORE UPDATE ON audit_checkpoint"),
        // Only PostgreSQL has TRUNCATE, for which no trigger on rows runs.
        refusing("audit_keeps_all_entries", "BEFORE TRUNCATE ON audit", forEach: "STATEMENT"),
        refusing("audit_keeps_all_checkpoints", "BEFORE TRUNCATE ON audit_checkpoint", forEach: "STATEMENT"),
        // What `sqlite_sequence` does in SQLite.
        trigger(
            "audit_counted", "AFTER INSERT ON audit REFERENCING NEW TABLE AS added", forEach: "STATEMENT",
            "UPDATE audit_head SET length = greatest(length, (SELECT max(added.key) FROM added));"
        )
    )

    private static func refusing(
        _ name: String, _ event: String, forEach unit: String = "ROW", when condition: String? = nil
    ) -> [String] {
        trigger(name, event, forEach: unit, when: condition, "RAISE EXCEPTION 'the audit is append-only';")
    }
}
