// Links with which anyone who has one can follow a search.
extension Schema {
    static let shares = [
        """
        CREATE TABLE share (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE,
            -- The token or session that made it, with which it ends.
            token BLOB REFERENCES token (id) ON DELETE CASCADE,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            label TEXT,
            created INTEGER NOT NULL,
            -- Zero if it has ended and is about to be deleted.
            ends INTEGER NOT NULL,
            views INTEGER NOT NULL DEFAULT 0,
            last_viewed INTEGER
        ) STRICT
        """,
        "CREATE INDEX share_report ON share (report, id)",
        "CREATE INDEX share_token ON share (token) WHERE token IS NOT NULL",
        "CREATE INDEX share_ends ON share (ends)",
        revoking("digest", of: "share", at: "DELETE", when: "OLD.ends <> 0 AND \(isOwned)"),
        revoking("digest", of: "share", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
    ]

    /// Whether the search still exists, which it does not while its bike or its owner is being erased.
    private static let isOwned = """
        EXISTS (
            SELECT 1 FROM report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
            WHERE report.key = OLD.report
        )
        """
}
