import Evidence
import Foundation
import RegistryAPI
import RegistryRules

/// What partners signed of the sightings by their stations: for each sighting the report that says most. The audit's
/// entry about the sighting has the signature; during a visit, the stored report may be a later one.
struct PartnerStatements {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// Stores what a partner signed of a sighting in place of what is stored.
    ///
    /// - Parameter sighting: the sighting’s key.
    func store(_ report: SignedReport, of sighting: Int64) throws {
        try db.run(
            """
            INSERT INTO partner_statement (sighting, statement, signature, fingerprint) VALUES (?, ?, ?, ?)
            ON CONFLICT (sighting) DO UPDATE SET statement = excluded.statement, signature = excluded.signature,
                fingerprint = excluded.fingerprint
            """,
            [sighting, report.signed.statement, report.signed.signature, report.key])
    }

    /// What a partner signed of a sighting, by the sighting’s key; nil if nothing is stored.
    func find(_ sighting: Int64) throws -> SignedReport? {
        guard let row = try db.row("SELECT * FROM partner_statement WHERE sighting = ?", [sighting]) else { return nil }
        let signed = SignedVisit(statement: try row["statement"], signature: try row["signature"])
        guard let read = try? ForwardedVisit(statement: signed.statement) else { throw CorruptRow(column: "statement") }
        return SignedReport(signed, key: try row["fingerprint"], visit: read.visit)
    }

    /// Whether the stored report is the one that an entry of the audit names, or a later one of a visit that has lasted
    /// longer since.
    func isAsRecorded(_ signature: String, of sighting: RecordedSighting) throws -> Bool {
        let sql = "SELECT signature FROM partner_statement WHERE sighting = ?"
        guard let row = try db.row(sql, [sighting.key]) else { return false }
        return try row["signature"] == signature || sighting.hasGrown
    }

    /// Notes the entry of the audit that records the pinning of keys.
    ///
    /// - Parameters:
    ///   - fingerprints: of the keys; those that are known keep their entries.
    ///   - partner: the partner’s key.
    ///   - entry: the entry’s index.
    func note(_ fingerprints: [String], of partner: Int64, entry: Int64) throws {
        for fingerprint in fingerprints {
            try db.run(
                """
                INSERT INTO partner_key (partner, fingerprint, entry) VALUES (?, ?, ?)
                ON CONFLICT (partner, fingerprint) DO NOTHING
                """, [partner, fingerprint, entry])
        }
    }
}

extension PartnerStatements {
    /// What an evidence pack has of partners: the statements that the audit's entries about these records name, and the
    /// keys that signed them.
    ///
    /// - Parameters:
    ///   - report: the report's key.
    ///   - limit: the maximum number of sightings; the newest if there are more.
    /// - Returns: also the entries that record the pinning of the keys.
    func evidence(
        of records: [CommittedRecord], inReport report: Int64, limit: Int
    ) throws -> (evidence: PartnerEvidence, entries: [Int64]) {
        let rows = try db.rows(
            """
            SELECT partner_statement.*, sighting.visit, sighting.entry, station.id AS station_id, station.partner
            FROM sighting JOIN partner_statement ON partner_statement.sighting = sighting.key
            JOIN station ON station.key = sighting.station
            WHERE sighting.report = ? ORDER BY sighting.key DESC LIMIT ?
            """, [report, limit])
        let recorded = Set(records.map(\.entry))
        var evidence = PartnerEvidence()
        // A registry that was a partner twice may have had the same key.
        var keys: [String: PartnerKey] = [:]
        for row in rows.reversed() {
            let (entry, partner): (Int64, Int64) = (try row["entry"], try row["partner"])
            let fingerprint: String = try row["fingerprint"]
            // An entry by an older program names no signature.
            guard recorded.contains(entry), try isSigned(entry) else { continue }
            evidence.statements.append(
                PartnerStatement(
                    sighting: try row.id("visit"), station: try row.id("station_id"), statement: try row["statement"],
                    signature: try row["signature"]))
            let name = "\(partner) \(fingerprint)"
            if keys[name] == nil { keys[name] = try key(fingerprint, of: partner) }
        }
        evidence.keys = keys.values.sorted { $0.entry < $1.entry }
        return (evidence, evidence.keys.map(\.entry))
    }

    /// Whether an entry of the audit names a partner's signature.
    private func isSigned(_ entry: Int64) throws -> Bool {
        let event = try db.row("SELECT * FROM audit WHERE key = ?", [entry]).map(AuditEntry.init)?.event
        return event?.details[PartnerStatement.signatureDetail] != nil
    }

    /// A partner's public key with a fingerprint, and the entry that records its pinning.
    private func key(_ fingerprint: String, of partner: Int64) throws -> PartnerKey {
        let sql = """
            SELECT id, name, public_keys, entry FROM partner JOIN partner_key ON partner_key.partner = partner.key
            WHERE partner.key = ? AND fingerprint = ?
            """
        guard let row = try db.row(sql, [partner, fingerprint]),
            let pem = Partners.keys(try row["public_keys"]).first(where: {
                PublicKey(pem: $0)?.fingerprint.description == fingerprint
            })
        else { throw CorruptRow(column: "fingerprint") }
        return PartnerKey(partner: try row.id("id"), name: try row["name"], publicKey: pem, entry: try row["entry"])
    }
}

extension SignedReport {
    /// The details of an entry about a sighting that a partner has signed.
    var details: [String: String] {
        [PartnerStatement.signatureDetail: signed.signature, PartnerStatement.keyDetail: key]
    }
}
