import GRDB
import Registry
import RegistrySQL

extension Schema {
    /// The audit's records of erased entries, of sightings and of stations' places.
    static let recordedContents = [
        // The index of the erasure's entry that emptied this one.
        "ALTER TABLE audit ADD COLUMN erasure INTEGER",
        "CREATE INDEX audit_erasure ON audit (erasure) WHERE erasure IS NOT NULL",
        // The salt of the sighting's record, and the audit's entry that contains the record's digest.
        "ALTER TABLE sighting ADD COLUMN salt BLOB",
        "ALTER TABLE sighting ADD COLUMN entry INTEGER",
        // The recorded values of an ongoing visit (`Growth`), and the time since which the row contains more; NULL if
        // both agree.
        "ALTER TABLE sighting ADD COLUMN recorded TEXT",
        "ALTER TABLE sighting ADD COLUMN grown INTEGER",
        "CREATE INDEX sighting_grown ON sighting (grown) WHERE grown IS NOT NULL",
        // The audit's entry that records the place.
        "ALTER TABLE station_place ADD COLUMN entry INTEGER",
        "DROP TRIGGER audit_keeps_contents",
    ]

    static let keptContents = [
        // The only change that is allowed: emptying an entry that names an owner, with the later entry that records
        // this.
        """
        CREATE TRIGGER audit_keeps_contents BEFORE UPDATE ON audit
        WHEN OLD.owner IS NULL OR NEW.key IS NOT OLD.key OR NEW.commitment IS NOT OLD.commitment
            OR NEW.chain IS NOT OLD.chain OR NEW.erasure IS NULL OR NEW.erasure <= OLD.key
            OR coalesce(NEW.time, NEW.action, NEW.principal, NEW.owner, NEW.bike, NEW.report, NEW.station,
                NEW.details, NEW.salt) IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
        """
    ]

    /// Empties the entries about sightings that were deleted before entries left together with their sightings.
    static let emptyAuditOfDeletedSightings: @Sendable (Database) throws -> Void = { db in
        let sql = """
            SELECT DISTINCT owner.id FROM report JOIN bike ON bike.key = report.bike
                JOIN owner ON owner.key = bike.owner
            WHERE report.sightings_deleted IS NOT NULL ORDER BY owner.key
            """
        for owner in try db.rows(sql, []) {
            try AuditTrail(db).eraseDeletedSightings(ofOwner: owner.id("id"), at: WallClock.system.now)
        }
    }

    static let audit = [
        // The key is the index in the chain. If all columns but commitment and chain are empty, the entry is erased.
        """
        CREATE TABLE audit (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            time INTEGER,
            action TEXT,
            principal TEXT,
            owner BLOB,
            bike BLOB,
            report BLOB,
            station BLOB,
            details BLOB,
            salt BLOB,
            commitment BLOB NOT NULL CHECK (length(commitment) = 32),
            chain BLOB NOT NULL CHECK (length(chain) = 32),
            CHECK ((time IS NULL) = (salt IS NULL) AND (action IS NULL) = (salt IS NULL))
        ) STRICT
        """,
        "CREATE INDEX audit_owner ON audit (owner) WHERE owner IS NOT NULL",
        """
        CREATE TRIGGER audit_keeps_entries BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
        """,
        // The only change that is allowed: emptying an entry that names an owner.
        """
        CREATE TRIGGER audit_keeps_contents BEFORE UPDATE ON audit
        WHEN OLD.owner IS NULL OR NEW.key IS NOT OLD.key OR NEW.commitment IS NOT OLD.commitment
            OR NEW.chain IS NOT OLD.chain
            OR coalesce(NEW.time, NEW.action, NEW.principal, NEW.owner, NEW.bike, NEW.report, NEW.station,
                NEW.details, NEW.salt) IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
        """,
        // The signed ends of the chain.
        """
        CREATE TABLE audit_checkpoint (
            length INTEGER PRIMARY KEY,
            text TEXT NOT NULL,
            signature TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TRIGGER audit_keeps_checkpoints BEFORE DELETE ON audit_checkpoint
        BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
        """,
        """
        CREATE TRIGGER audit_changes_no_checkpoints BEFORE UPDATE ON audit_checkpoint
        BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
        """,
    ]
}
