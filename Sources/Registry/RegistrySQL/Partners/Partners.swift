import Evidence
import Foundation
package import RegistryAPI
package import RegistryRules
import Syntax

/// Other registries: pinned keys, limits, and the end of a partnership.
package struct Partners {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// All partners and open invitations, in the order of their creation.
    package func page(
        _ page: PageRequest<PartnerID>, at time: Timestamp
    ) throws -> StoredPage<Partner, PartnerID> {
        let after = page.after ?? PartnerID(high: 0, low: 0)
        let sql = Self.query + " AND partner.id > ? ORDER BY partner.id LIMIT ?"
        return try db.rows(sql, [time.milliseconds, after.blob, page.limit + 1])
            .map(Partner.init)
            .page(limit: page.limit, cursor: \.id)
    }

    /// A partner, or an open invitation.
    ///
    /// - Throws: `notFound`.
    package func find(_ id: PartnerID, at time: Timestamp) throws -> Partner {
        guard let row = try db.row(Self.query + " AND partner.id = ?", [time.milliseconds, id.blob]) else {
            throw DomainError.notFound("partner")
        }
        return try Partner(row)
    }

    /// Partners that are not removed. The first parameter is the time.
    private static let query = """
        SELECT partner.*, partner_list.entries, partner_list.checked,
            (SELECT count(*) FROM partner_outbox WHERE partner_outbox.partner = partner.key) AS waiting,
            (SELECT count(*) FROM station WHERE station.partner = partner.key) AS stations
        FROM partner LEFT JOIN partner_list ON partner_list.partner = partner.key
        WHERE removed IS NULL AND (accepted IS NOT NULL OR expires > ?)
        """

    /// Renames, limits, suspends or resumes a partner, or pins a further key of it.
    ///
    /// - Parameter quarantineSince: its sightings last heard at this time or later are not trusted; nil changes
    ///   nothing.
    /// - Throws: `notFound`, `invalidFields`.
    package func change(
        _ id: PartnerID, _ patch: PartnerPatch, quarantineSince: Timestamp?, by principal: Principal,
        at time: Timestamp
    ) throws -> Partner {
        let key = try key(of: id)
        let before = try find(id, at: time)
        let limits = patch.limits ?? before.limits
        try db.run(
            "UPDATE partner SET name = ?, most_listed = ?, most_visits = ? WHERE key = ?",
            [patch.name ?? before.name, limits.listed, limits.visits, key])
        var details: [String: String] = [:]
        if let name = patch.name { details["to"] = name }
        if let limits = patch.limits {
            details["listed"] = String(limits.listed)
            details["visits"] = String(limits.visits)
        }
        if let pem = patch.publicKey, let new = try pin(pem, of: key) { details["key"] = new }
        if !details.isEmpty { try note(.partnerChanged, id, before.name, by: principal, at: time, details) }
        if let isSuspended = patch.suspended, isSuspended != (before.state == .suspended) {
            guard before.state != .invited else { throw DomainError.notFound("partner") }
            try setSuspended(isSuspended, key, id, before.name, by: principal, at: time)
        }
        if let quarantineSince { try revokeStations(of: key, since: quarantineSince, by: principal, at: time) }
        return try find(id, at: time)
    }

    /// Suspends or resumes a partner. A suspended one has no list here, and no access.
    func setSuspended(
        _ isSuspended: Bool, _ key: Int64, _ id: PartnerID, _ name: String, by principal: Principal?,
        at time: Timestamp
    ) throws {
        if isSuspended {
            try db.run("UPDATE partner SET suspended = ?, active = NULL WHERE key = ?", [time.milliseconds, key])
            try PartnerLists(db).empty(key)
        } else {
            try db.run("UPDATE partner SET suspended = NULL WHERE key = ?", [key])
            try nameActivity(of: key, at: time)
        }
        try note(isSuspended ? .partnerSuspended : .partnerResumed, id, name, by: principal, at: time)
    }

    /// The partner that holds one of these keys.
    func holder(of keys: [String], except other: Int64 = 0) throws -> StoredRow? {
        let sql = "SELECT * FROM partner WHERE accepted IS NOT NULL AND removed IS NULL AND key <> ? ORDER BY key"
        return try db.rows(sql, [other]).first { row in
            !Set(Self.keys(try row["public_keys"])).isDisjoint(with: keys)
        }
    }

    /// Pins a key after the others, so that visits are addressed to it, as the next entry of the audit records. It may be
    /// pinned already: an operator may put an earlier key file back.
    ///
    /// - Returns: its fingerprint; nil if it was the last one before.
    private func pin(_ pem: String, of key: Int64) throws -> String? {
        guard let new = PublicKey(pem: pem), let row = try db.row("SELECT * FROM partner WHERE key = ?", [key]) else {
            throw DomainError.invalidField("/publicKey", "must be an Ed25519 key in PEM, as GET /v1/keys shows it")
        }
        if let other = try holder(of: [new.pem], except: key) {
            let name: String = try other["name"]
            throw DomainError.invalidField("/publicKey", "must not be a key of another partner, which is \(name)")
        }
        let keys = Self.keys(try row["public_keys"])
        guard keys.last != new.pem else { return nil }
        let others = keys.filter { $0 != new.pem }
        guard others.count < PartnerRules.mostKeys else {
            throw DomainError.invalidField(
                "/publicKey",
                "must be one of the \(PartnerRules.mostKeys) keys that were accepted from this partner: for another one, "
                    + "end the partnership and become partners again")
        }
        try db.run("UPDATE partner SET public_keys = ? WHERE key = ?", [others.joined() + new.pem, key])
        try PartnerStatements(db).note(["\(new.fingerprint)"], of: key, entry: try AuditTrail(db).nextIndex())
        return "\(new.fingerprint)"
    }

    /// Ends a partnership, or cancels an invitation. What waits for the partner is deleted; sightings stay.
    ///
    /// - Parameter quarantineSince: its sightings last heard at this time or later are not trusted, also if the partner
    ///   was removed before; nil changes nothing.
    /// - Throws: `notFound`.
    package func remove(
        _ id: PartnerID, quarantineSince: Timestamp?, by principal: Principal?, at time: Timestamp
    ) throws {
        let sql = "SELECT key, name, accepted, removed FROM partner WHERE id = ?"
        guard let row = try db.row(sql, [id.blob]) else { throw DomainError.notFound("partner") }
        let (key, name): (Int64, String) = (try row["key"], try row["name"])
        if row.hasNonNull("removed") {
            guard let quarantineSince else { throw DomainError.notFound("partner") }
            return try revokeStations(of: key, since: quarantineSince, by: principal, at: time)
        }
        try note(.partnerRemoved, id, name, by: principal, at: time)
        guard row.hasNonNull("accepted") else { return try db.run("DELETE FROM partner WHERE key = ?", [key]) }
        // Before its token: repeated first, it leaves nothing to say of the token.
        try noteRemoval(of: id, at: time)
        try PartnerLists(db).empty(key)
        try db.run("DELETE FROM partner_outbox WHERE partner = ?", [key])
        try db.run(
            "UPDATE partner SET token = NULL, secret = NULL, code = NULL, removed = ? WHERE key = ?",
            [time.milliseconds, key])
        try revokeStations(of: key, since: quarantineSince, by: principal, at: time)
    }

    private func key(of id: PartnerID) throws -> Int64 {
        guard let key = try db.integer("SELECT key FROM partner WHERE id = ? AND removed IS NULL", [id.blob]) else {
            throw DomainError.notFound("partner")
        }
        return key
    }

    /// Adds an entry about a partner to the audit.
    func note(
        _ action: AuditAction, _ id: PartnerID, _ name: String, by principal: Principal?, at time: Timestamp,
        _ details: [String: String] = [:]
    ) throws {
        try AuditTrail(db).append(
            AuditEvent(
                action, by: principal, at: time,
                details: ["partner": "\(id)", "name": name].merging(details) { $1 }))
    }

    /// The fingerprints of keys in PEM.
    static func fingerprints(_ keys: [String]) -> [String] {
        keys.compactMap { PublicKey(pem: $0).map { "\($0.fingerprint)" } }
    }

    /// The keys of the column `public_keys`, each in PEM: three lines.
    static func keys(_ text: String) -> [String] {
        let lines = text.split(at: "\n").map { String($0) + "\n" }
        let end = lines.count - lines.count % 3
        return stride(from: 0, to: end, by: 3).map { first in lines[first..<first + 3].joined() }
    }
}

extension Partner {
    /// Reads a row of a partner with its list, its waiting visits and its stations.
    fileprivate init(_ row: StoredRow) throws {
        let isAccepted = row.hasNonNull("accepted")
        let suspended = try row.optionalTimestamp("suspended")
        var list: List?
        if row.hasNonNull("entries") || row.hasNonNull("list_failure") {
            list = List(
                entries: try row["entries"] ?? 0, checked: try row.optionalTimestamp("checked"),
                failure: try row["list_failure"])
        }
        // As askToRenew(_:) leaves it, until the partner has its new token.
        let isInRenewal = isAccepted && !row.hasNonNull("token") && !row.hasNonNull("used")
        var state = State.invited
        if isAccepted { state = suspended == nil ? .active : .suspended }
        self.init(
            id: try row.id("id"), name: try row["name"],
            state: state, url: try row["url"],
            fingerprints: Partners.fingerprints(Partners.keys(try row["public_keys"])),
            limits: PartnerLimits(listed: try row["most_listed"], visits: try row["most_visits"]),
            created: try row.timestamp("created"),
            expires: isAccepted ? nil : try row.optionalTimestamp("expires"), suspended: suspended,
            renewal: isInRenewal ? try row.optionalTimestamp("expires") : nil, list: list,
            sent: Sent(
                waiting: try row["waiting"], stored: try row["stored"], ignored: try row["ignored"],
                refused: try row["refused"], failure: try row["failure"]),
            received: Received(stations: try row["stations"]))
    }
}
