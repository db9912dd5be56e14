import Foundation
import Passkeys
package import RegistryAPI
package import RegistryRules

/// The browsers in which operators are signed in. `site` is the host for which passkeys count.
package struct DeskSessions {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Sessions with their operators and the number of the operators’ passkeys. The first parameter is the site.
    static let query = """
        SELECT desk_session.*, operator.id AS operator_id, operator.name AS operator_name,
            (SELECT count(*) FROM desk_passkey
                WHERE desk_passkey.operator = operator.key AND relying_party = ?) AS passkeys
        FROM desk_session JOIN operator ON operator.key = desk_session.operator

        """

    /// Opens a session. The operator’s session that was unused longest ends if there are ``DeskSessionState/most``.
    ///
    /// - Throws: `tokenUnusable`, `passkeyRefused`.
    package func open(_ session: NewDeskSession, by proof: DeskProof) throws -> DeskProofResult {
        guard let grant = try grant(proof, at: session.began) else { return .copiedPasskey }
        try makeRoom(grant, at: session.began)
        try db.run(
            """
            INSERT INTO desk_session (id, digest, operator, name, signed_in, began, used, proved, proof, passkey)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6, ?5, ?7)
            """,
            [
                session.id.blob, session.digest.blob, grant.key, session.name, proof.kind.rawValue,
                session.began.milliseconds, grant.passkey,
            ]
        )
        try audit(
            .deskOpened, of: grant.id, at: session.began,
            ["session": "\(session.id)", "by": proof.kind.rawValue, "name": session.name])
        return .accepted(session.id, grant.id)
    }

    /// Records that the operator of a session has given a passkey or the token again.
    ///
    /// - Throws: `notFound`, `tokenUnusable`, `passkeyRefused`.
    package func confirm(
        _ id: DeskSessionID, of operator: OperatorID, by proof: DeskProof, at time: Timestamp
    ) throws -> DeskProofResult {
        guard try db.exists(Self.own, [id.blob, `operator`.blob]) else { throw DomainError.notFound("session") }
        guard let grant = try grant(proof, at: time) else { return .copiedPasskey }
        // Another operator's token or passkey cannot confirm this session.
        guard grant.id == `operator` else {
            throw proof.kind == .token ? DomainError.tokenUnusable : DomainError.passkeyRefused(.unknown)
        }
        try db.run(
            "UPDATE desk_session SET proved = ?, proof = ? WHERE id = ?",
            [time.milliseconds, proof.kind.rawValue, id.blob])
        try audit(.deskConfirmed, of: `operator`, at: time, ["session": "\(id)", "by": proof.kind.rawValue])
        return .accepted(id, `operator`)
    }

    /// The session with a secret, whether or not it has ended by time; nil if there is none.
    package func find(secret: SecretDigest, site: String) throws -> StoredDeskSession? {
        try db.row(Self.query + "WHERE desk_session.digest = ?", [site, secret.blob]).map(StoredDeskSession.init)
    }

    /// The session of an operator; nil if there is none.
    package func find(_ id: DeskSessionID, of operator: OperatorID, site: String) throws -> StoredDeskSession? {
        try db.row(
            Self.query + "WHERE desk_session.id = ? AND operator.id = ?", [site, id.blob, `operator`.blob]
        ).map(StoredDeskSession.init)
    }

    /// The sessions of an operator, in the order of their beginning.
    package func all(of operator: OperatorID, site: String) throws -> [StoredDeskSession] {
        try db.rows(Self.query + "WHERE operator.id = ? ORDER BY desk_session.id", [site, `operator`.blob])
            .map(StoredDeskSession.init)
    }

    /// Records the use of a session.
    package func noteUse(of id: DeskSessionID, at time: Timestamp) throws {
        try db.run("UPDATE desk_session SET used = ? WHERE id = ?", [time.milliseconds, id.blob])
    }

    /// Ends a session.
    ///
    /// - Throws: `notFound`.
    package func end(_ id: DeskSessionID, of operator: OperatorID, at time: Timestamp) throws {
        guard try db.exists(Self.own, [id.blob, `operator`.blob]) else { throw DomainError.notFound("session") }
        try db.run("DELETE FROM desk_session WHERE id = ?", [id.blob])
        try audit(.deskEnded, of: `operator`, at: time, ["session": "\(id)"])
    }

    /// Deletes sessions that have ended by time. Restoring a backup does not bring them back, so they need no entry in
    /// the journal of revocations, whose trigger skips those that were last used at zero.
    func deleteEnded(at time: Timestamp) throws {
        try db.run(
            "UPDATE desk_session SET used = 0 WHERE began <= ? OR used <= ?",
            [
                time.advanced(by: .zero - DeskSessionState.lifetime).milliseconds,
                time.advanced(by: .zero - DeskSessionState.idle).milliseconds,
            ]
        )
        try db.run("DELETE FROM desk_session WHERE used = 0", [])
    }

    /// A session of an operator. Parameters: the identifiers of both.
    private static let own = """
        SELECT 1 FROM desk_session JOIN operator ON operator.key = desk_session.operator
        WHERE desk_session.id = ? AND operator.id = ?
        """

    /// Ends the sessions that were unused longest, so that there is room for one more.
    private func makeRoom(_ grant: DeskGrant, at time: Timestamp) throws {
        let sql = "SELECT id FROM desk_session WHERE operator = ? ORDER BY used DESC, id DESC"
        for row in try db.rows(sql, [grant.key]).dropFirst(DeskSessionState.most - 1) {
            try end(try row.id("id"), of: grant.id, at: time)
        }
    }

    /// Adds an act of an operator to the audit.
    func audit(
        _ action: AuditAction, of operator: OperatorID, at time: Timestamp, _ details: [String: String]
    ) throws {
        try AuditTrail(db).append(AuditEvent(action, by: .operator(`operator`), at: time, details: details))
    }
}

/// The operator whom a proof identifies.
struct DeskGrant {
    /// The operator's key.
    let key: Int64
    let id: OperatorID
    /// The key of the passkey whose removal ends the session; nil for a token.
    var passkey: Int64?
}

extension DeskSessions {
    /// Checks a proof; nil if the passkey may be a copy.
    ///
    /// - Throws: `tokenUnusable`, `passkeyRefused`.
    private func grant(_ proof: DeskProof, at time: Timestamp) throws -> DeskGrant? {
        switch proof {
        case .token(let digest):
            let sql = """
                SELECT operator.key, operator.id FROM token JOIN operator ON operator.key = token.operator
                WHERE digest = ?
                """
            guard let row = try db.row(sql, [digest.blob]) else { throw DomainError.tokenUnusable }
            return DeskGrant(key: try row["key"], id: try row.id("id"))
        case .passkey(let id, let counter): return try passkeyGrant(id, counter, at: time)
        }
    }

    /// Checks the signature’s counter, which a copied passkey repeats; nil if it may be a copy.
    private func passkeyGrant(_ id: PasskeyID, _ counter: UInt32, at time: Timestamp) throws -> DeskGrant? {
        guard let row = try db.row(DeskPasskeys.query + "WHERE desk_passkey.id = ?", [id.blob]) else {
            throw DomainError.passkeyRefused(.unknown)
        }
        let (key, holder): (Int64, OperatorID) = (try row["key"], try row.id("holder_id"))
        guard SignatureCounter.isPlausible(counter, after: UInt32(clamping: try row["counter"] as Int64)) else {
            try audit(.deskPasskeyCopied, of: holder, at: time, ["passkey": "\(id)"])
            return nil
        }
        try db.run(
            "UPDATE desk_passkey SET counter = ?, last_used = ? WHERE key = ?",
            [Int64(counter), time.milliseconds, key])
        return DeskGrant(key: try row["operator"], id: holder, passkey: key)
    }
}

extension StoredDeskSession {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), name: try row["name"],
            operator: .init(id: try row.id("operator_id"), name: try row["operator_name"]),
            signedIn: try row.choice("signed_in"),
            state: DeskSessionState(
                began: try row.timestamp("began"), used: try row.timestamp("used"),
                proved: try row.timestamp("proved"), proof: try row.choice("proof"), passkeys: try row["passkeys"])
        )
    }
}
