extension Schema {
    /// Tokens and codes that are no longer valid, which a restored backup must not bring back.
    ///
    /// It does not contain those deleted with their owner, because erasures are repeated separately.
    static let revocations =
        [
            """
            CREATE TABLE revocation (
                key INTEGER PRIMARY KEY AUTOINCREMENT,
                digest BLOB NOT NULL CHECK (length(digest) = 32),
                time INTEGER NOT NULL
            ) STRICT
            """
        ]
        + [
            revoking("digest", of: "token", at: "DELETE", when: "OLD.owner IS NULL OR \(hasOwner)"),
            revoking("digest", of: "token", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
            revoking("digest", of: "recovery_code", at: "DELETE", when: hasOwner),
            revoking("code", of: "invitation", at: "DELETE", when: "OLD.station IS NULL"),
            revoking(
                "code", of: "invitation", at: "UPDATE OF code, station",
                when: "NEW.code <> OLD.code OR (OLD.station IS NULL AND NEW.station IS NOT NULL)"),
            revoking(
                "code", of: "owner_invitation", at: "UPDATE OF code, accepted",
                when: "NEW.code <> OLD.code OR (OLD.accepted IS NULL AND NEW.accepted IS NOT NULL)"),
        ]

    static let hasOwner = "EXISTS (SELECT 1 FROM owner WHERE key = OLD.owner)"

    static func revoking(
        _ column: String, of table: String, at event: String, when condition: String
    ) -> String {
        let name = event.prefix { $0 != " " }.lowercased()
        return """
            CREATE TRIGGER \(table)_revoked_by_\(name) AFTER \(event) ON \(table) WHEN \(condition)
            BEGIN
                INSERT INTO revocation (digest, time)
                VALUES (OLD.\(column), CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER));
            END
            """
    }
}
