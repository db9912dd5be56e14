-- What SQL writers write: the parts of the registry's tables that faults can hurt.
CREATE TABLE report (
    key bigint PRIMARY KEY,
    revision bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
INSERT INTO report (key) SELECT generate_series(1, 8);

-- number comes from a sequence: it is drawn before the commit, so numbers can become visible out of order.
-- revision is counted on the locked row of the report: its order is the order of the commits.
CREATE TABLE sighting (
    visit uuid PRIMARY KEY,
    report bigint NOT NULL REFERENCES report,
    revision bigint NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    UNIQUE (report, revision)
);
CREATE INDEX sighting_number ON sighting (number);
CREATE INDEX sighting_xid ON sighting (xid, number);

CREATE TABLE alert (
    id uuid PRIMARY KEY,
    due timestamptz,
    attempts bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX alert_due ON alert (due) WHERE due IS NOT NULL;

-- Entries come with the change's transaction; the sequencer gives them their places in the chain.
CREATE TABLE audit (
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    seq bigint GENERATED ALWAYS AS IDENTITY,
    visit uuid NOT NULL,
    commitment bytea NOT NULL,
    PRIMARY KEY (xid, seq)
);
CREATE TABLE audit_chain (
    place bigint PRIMARY KEY,
    seq bigint NOT NULL UNIQUE,
    chain bytea NOT NULL
);
CREATE TABLE audit_head (length bigint NOT NULL, chain bytea NOT NULL, xid xid8 NOT NULL, seq bigint NOT NULL);
INSERT INTO audit_head VALUES (0, decode(repeat('00', 32), 'hex'), '0', 0);

-- Records visits with their alerts and audit entries; those that are stored already stay as they are. `pause` (seconds)
-- stands for a transaction that takes long after it has drawn its numbers.
CREATE FUNCTION record(visits uuid[], wanted bigint, pause double precision) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    base bigint;
    stored bigint;
BEGIN
    SELECT revision INTO base FROM report WHERE key = wanted FOR NO KEY UPDATE;
    WITH added AS (
        INSERT INTO sighting (visit, report, revision)
        SELECT visit, wanted, base + row_number() OVER () FROM unnest(visits) AS given (visit)
        WHERE NOT EXISTS (SELECT 1 FROM sighting WHERE sighting.visit = given.visit)
        RETURNING visit
    ), alerts AS (
        INSERT INTO alert (id, due) SELECT visit, clock_timestamp() FROM added
    ), entries AS (
        INSERT INTO audit (visit, commitment) SELECT visit, sha256(visit::text::bytea) FROM added
    )
    SELECT count(*) INTO stored FROM added;
    UPDATE report SET revision = base + stored WHERE key = wanted;
    PERFORM pg_sleep(pause);
    RETURN stored;
END $$;

-- Gives places in the chain to entries of transactions that have ended, and that no earlier one can follow any longer.
-- Returns their number; NULL if another sequencer works.
CREATE FUNCTION sequence_audit(most bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    head audit_head;
    entry audit;
    done bigint := 0;
BEGIN
    SELECT * INTO head FROM audit_head FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    FOR entry IN
        SELECT * FROM audit
        WHERE (xid, seq) > (head.xid, head.seq) AND xid < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY xid, seq LIMIT most
    LOOP
        done := done + 1;
        head.chain := sha256(head.chain || entry.commitment);
        head.xid := entry.xid;
        head.seq := entry.seq;
        INSERT INTO audit_chain VALUES (head.length + done, entry.seq, head.chain);
    END LOOP;
    UPDATE audit_head SET length = head.length + done, chain = head.chain, xid = head.xid, seq = head.seq;
    RETURN done;
END $$;

-- Claims alerts that are due, for `lease` seconds by the database's clock.
CREATE FUNCTION claim(lease double precision, most bigint) RETURNS SETOF alert LANGUAGE sql AS $$
    UPDATE alert SET due = clock_timestamp() + make_interval(secs => lease), attempts = attempts + 1
    WHERE id IN (
        SELECT id FROM alert WHERE due <= clock_timestamp() ORDER BY due LIMIT most FOR UPDATE SKIP LOCKED
    )
    RETURNING *
$$;

-- Records deliveries of claimed alerts, unless they have been claimed again since. Returns those that it recorded.
CREATE FUNCTION settle(ids uuid[], tries bigint[]) RETURNS SETOF uuid LANGUAGE sql AS $$
    UPDATE alert SET due = NULL
    FROM unnest(ids, tries) AS claimed (id, attempts)
    WHERE alert.id = claimed.id AND alert.attempts = claimed.attempts AND due IS NOT NULL
    RETURNING alert.id
$$;
