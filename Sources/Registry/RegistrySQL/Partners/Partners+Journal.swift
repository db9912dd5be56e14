import Foundation
import RegistryAPI
import RegistryRules

// What the journal of revocations has of partners beside tokens and codes: what a restored backup must not bring back.
extension Partners {
    /// Gives the time in which a partner is active a name, unless it has one: a renewal does not begin another time. The
    /// journal of revocations gets it when the partner is suspended: a restored backup that has the partner active under
    /// this name is older than the suspension.
    func nameActivity(of key: Int64, at time: Timestamp) throws {
        // Both the entry and the time, since after a restore the entries count from the backup's.
        let name = SecretDigest(of: "partner \(key) \(try AuditTrail(db).nextIndex()) \(time.milliseconds)")
        try db.run(
            "UPDATE partner SET active = ? WHERE key = ? AND suspended IS NULL AND active IS NULL", [name.blob, key])
    }

    /// Adds the end of a partnership to the journal. Its token alone does not say it, because tokens are also renewed.
    func noteRemoval(of id: PartnerID, at time: Timestamp) throws {
        let entry = id.blob + Self.removalEnd
        try db.run("INSERT INTO revocation (digest, time) VALUES (?, ?)", [entry, time.milliseconds])
    }

    /// The end of an entry about a removal, after the partner's 16 bytes; together they are as long as a digest. A
    /// quarantine (``PartnerQuarantine``) has no negative number here.
    private static let removalEnd = Data(repeating: 0xFF, count: 16)

    /// Repeats an entry of the journal: ends a partnership, a token or an invitation, suspends a partner, or disputes its
    /// sightings.
    ///
    /// Without its token, a partner has no access until an operator renews the partnership.
    func revoke(_ digest: Data, at time: Timestamp) throws {
        if let quarantine = PartnerQuarantine(entry: digest) { try quarantineAgain(quarantine, at: time) }
        let removed: Data? = digest.suffix(16) == Self.removalEnd ? Data(digest.prefix(16)) : nil
        let ended = "SELECT id FROM partner WHERE removed IS NULL AND (id = ? OR (code = ? AND accepted IS NULL))"
        if let row = try db.row(ended, [removed, digest]) {
            return try remove(try row.id("id"), quarantineSince: nil, by: nil, at: time)
        }
        if let row = try db.row("SELECT key, id, name FROM partner WHERE token = ?", [digest]) {
            let key: Int64 = try row["key"]
            try db.run("UPDATE partner SET token = NULL WHERE key = ?", [key])
            try note(.partnerChanged, try row.id("id"), try row["name"], by: nil, at: time, ["token": "revoked"])
        }
        let active = "SELECT key, id, name FROM partner WHERE active = ? AND suspended IS NULL AND removed IS NULL"
        guard let row = try db.row(active, [digest]) else { return }
        try setSuspended(true, try row["key"], try row.id("id"), try row["name"], by: nil, at: time)
    }
}
