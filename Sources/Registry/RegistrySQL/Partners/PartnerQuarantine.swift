import Foundation
import RegistryAPI
import RegistryRules

/// A quarantine of a partner's sightings, as the journal of revocations has it in place of a digest: 32 bytes, too.
///
/// A restored backup is older than it if the partner has had only as many quarantines there as it had before this one. So
/// it never concerns the stations that the partner got afterwards.
struct PartnerQuarantine {
    let partner: PartnerID
    /// The number of earlier quarantines of the partner.
    let number: Int64
    /// The earliest time of a last hearing that is not trusted.
    let since: Timestamp

    init(of partner: PartnerID, number: Int64, since: Timestamp) {
        self.partner = partner
        self.number = number
        self.since = since
    }

    /// Reads an entry of the journal; nil unless it has 32 bytes. The first half of a digest is no partner's identifier.
    init?(entry: Data) {
        guard entry.count == 32, let partner = PartnerID(blob: entry.prefix(16)) else { return nil }
        let (number, since): (Int64, Int64) = (entry.bigEndian(at: 16), entry.bigEndian(at: 24))
        self.init(of: partner, number: number, since: Timestamp(milliseconds: since))
    }

    /// The entry of the journal: the partner’s 16 bytes, the number, and the time in milliseconds, both big-endian.
    var entry: Data {
        var bytes = partner.blob
        for value in [number, since.milliseconds] {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

extension Partners {
    /// Revokes all stations of a partner. Resumed, the partner gets new ones.
    ///
    /// - Parameter since: sightings last heard at this time or later are not trusted; nil changes nothing.
    func revokeStations(of key: Int64, since: Timestamp?, by principal: Principal?, at time: Timestamp) throws {
        if let since { try noteQuarantine(of: key, since: since, at: time) }
        for row in try db.rows("SELECT id FROM station WHERE partner = ?", [key]) {
            _ = try Enrolments(db).revokeStation(try row.id("id"), quarantineSince: since, by: principal, at: time)
        }
    }

    /// Counts a quarantine, and adds it to the journal of revocations: a restored backup must not trust the sightings.
    private func noteQuarantine(of key: Int64, since: Timestamp, at time: Timestamp) throws {
        guard let row = try db.row("SELECT id, quarantines FROM partner WHERE key = ?", [key]) else { return }
        let quarantine = PartnerQuarantine(of: try row.id("id"), number: try row["quarantines"], since: since)
        try db.run("UPDATE partner SET quarantines = quarantines + 1 WHERE key = ?", [key])
        try db.run("INSERT INTO revocation (digest, time) VALUES (?, ?)", [quarantine.entry, time.milliseconds])
    }

    /// Repeats a quarantine if it is later than the backup that the database was restored from.
    func quarantineAgain(_ quarantine: PartnerQuarantine, at time: Timestamp) throws {
        let sql = "SELECT key FROM partner WHERE id = ? AND quarantines = ?"
        guard let key = try db.integer(sql, [quarantine.partner.blob, quarantine.number]) else { return }
        try revokeStations(of: key, since: quarantine.since, by: nil, at: time)
    }
}
