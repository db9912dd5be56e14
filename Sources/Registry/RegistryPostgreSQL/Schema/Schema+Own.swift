import RegistrySQL

// The parts of the schema that only PostgreSQL has.
extension Schema {
    /// The tables that SQLite does not have.
    static let ownTables = ["schema_step", "audit_head", "picture", "day_secret", "challenge_key", "used_challenge"]

    /// The state of the error of `compare_clock`.
    static let differentClock = "FMB01"

    /// Further statements of steps.
    static let own: [String: [String]] = ["first": audited + shared]

    private static let audited =
        [
            // The chain assigns the keys: a sequence would also count entries that were rolled back.
            "ALTER TABLE audit ALTER COLUMN key DROP IDENTITY",
            // The number of entries ever appended, so that missing last rows are detected, as `sqlite_sequence` has it
            // in SQLite. Its only row is also the lock that groups of changes take in turn
            // (WritingConnection.takeTurn).
            "CREATE TABLE audit_head (key bigint PRIMARY KEY CHECK (key = 1), length bigint NOT NULL)",
            "INSERT INTO audit_head (key, length) VALUES (1, 0)",
        ]
        + [
            // Only PostgreSQL has TRUNCATE, for which no trigger on rows runs.
            Trigger.refusing("audit_keeps_all_entries", "BEFORE TRUNCATE ON audit", forEach: "STATEMENT"),
            .refusing("audit_keeps_all_checkpoints", "BEFORE TRUNCATE ON audit_checkpoint", forEach: "STATEMENT"),
            Trigger("audit_counted", "AFTER INSERT ON audit REFERENCING NEW TABLE AS added", forEach: "STATEMENT") {
                _ in
                "UPDATE audit_head SET length = greatest(length, (SELECT max(added.key) FROM added));"
            },
        ].flatMap { $0.statements(in: .postgresql) }

    /// The tables that the processes of a registry share in place of files and memory. With SQLite there is only one
    /// process, which does not need them.
    private static let shared = [
        "CREATE TABLE picture (name bytea PRIMARY KEY CHECK (length(name) = 16), large bytea NOT NULL, small bytea NOT NULL, "
            + "stored timestamptz NOT NULL DEFAULT clock_timestamp())",
        // JPEG files cannot be compressed.
        "ALTER TABLE picture ALTER COLUMN large SET STORAGE EXTERNAL, ALTER COLUMN small SET STORAGE EXTERNAL",
        // UNLOGGED: in no log and no backup, and empty after a crash or a failover.
        "CREATE UNLOGGED TABLE day_secret (day bigint PRIMARY KEY, secret bytea NOT NULL CHECK (length(secret) = 32))",
        "CREATE UNLOGGED TABLE challenge_key (key bigint PRIMARY KEY CHECK (key = 1), secret bytea NOT NULL)",
        "CREATE UNLOGGED TABLE used_challenge (nonce bytea PRIMARY KEY, deadline bigint NOT NULL)",
        "CREATE INDEX used_challenge_deadline ON used_challenge (deadline)",
        // Refuses a time in milliseconds that is more than ten seconds from the server's.
        """
        CREATE FUNCTION compare_clock(bigint) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE difference bigint := $1 - floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
        BEGIN
            IF abs(difference) > 10000 THEN
                RAISE EXCEPTION 'the clock of the registry''s machine is % seconds from the database''s',
                    difference / 1000 USING ERRCODE = '\(differentClock)';
            END IF;
        END
        $$
        """,
    ]
}
