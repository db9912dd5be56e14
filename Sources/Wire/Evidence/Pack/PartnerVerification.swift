public import RegistryAPI
import Syntax

/// The verified signatures of partner registries over the sightings of a pack.
///
/// Which key is a partner's own is this registry's word, unless the key is one that the reader trusts.
public struct PartnerVerification: Hashable, Sendable {
    /// What one key of a partner signed.
    public struct Signer: Hashable, Sendable {
        public var name: String
        public var fingerprint: HashValue
        /// When the key was pinned, by the audit.
        public var pinned: Timestamp
        /// Whether it is one of the keys that the reader trusts.
        public var isTrusted: Bool
        /// The number of sightings that it signed.
        public var sightings = 0
        /// The number of those of which it signed only a part: several reports were merged.
        public var partial = 0
    }

    /// The reason why a partner's signature is not what the audit says.
    public enum Flaw: Hashable, Sendable {
        /// The audit says that there is one, but it is not in the pack.
        case missing
        /// The audit does not know it, or it belongs to another sighting, station or registry.
        case misplaced
        /// It is not of the key that the audit names.
        case forged
        /// No earlier entry of the audit pins the key for the station's registry.
        case unpinned
        /// It is of another key than the one of this partner that the reader trusts.
        case untrusted
        /// It is of another key than those that the reader trusts, and this one of them has signed nothing.
        case unmatched(HashValue)
    }

    /// The keys in the order in which they were pinned.
    public private(set) var signers: [Signer] = []
    /// The number of sightings by partners' stations that no partner has signed: they were stored by an older version.
    public private(set) var unsigned = 0

    /// Checks every signature that the audit's entries about the records name, and that there is no other.
    ///
    /// - Parameters:
    ///   - evidence: `partners.json`.
    ///   - audit: entries that belong to the registry's chain.
    ///   - trusted: the fingerprints of partners' keys that the reader trusts; nil if the reader has given none. Partners
    ///     without such a key are not compared with any.
    init(
        _ evidence: PartnerEvidence, _ records: [CommittedRecord], _ audit: [AuditEntry], trusted: Set<HashValue>?
    ) throws(EvidenceFlaw) {
        let entries = Dictionary(audit.map { ($0.index, $0) }) { first, _ in first }
        let stations = Dictionary(
            audit.compactMap { entry in entry.event?.partnerStation.map { ($0.station, $0) } }
        ) { first, _ in first }
        let keys = Dictionary(
            evidence.keys.compactMap { key in PublicKey(pem: key.publicKey).map { (Key(key.partner, $0), (key, $0)) } }
        ) { first, _ in first }
        var statements = Dictionary(evidence.statements.map { ($0.name, $0) }) { first, _ in first }
        guard statements.count == evidence.statements.count else {
            throw .contradiction("a sighting has two signatures of partners")
        }
        var found: [Key: Found] = [:]
        for record in records {
            func flaw(_ flaw: Flaw) -> EvidenceFlaw { .partner(flaw, entry: record.entry) }
            let statement = statements.removeValue(forKey: record.name)
            let station = record["station"].flatMap { stations[$0] }
            guard let details = entries[record.entry]?.event?.details,
                let signature = details[PartnerStatement.signatureDetail],
                let fingerprint = details[PartnerStatement.keyDetail]
            else {
                guard statement == nil else { throw flaw(.misplaced) }
                if station != nil { unsigned += 1 }
                continue
            }
            guard let statement else { throw flaw(.missing) }
            guard statement.signature == signature else { throw flaw(.misplaced) }
            guard let station else { throw flaw(.misplaced) }
            // A registry that was a partner twice, under two identifiers, may have had the same key.
            let name = Key(partner: station.partner, fingerprint: fingerprint)
            guard let (key, publicKey) = keys[name], key.entry < record.entry,
                let pinning = entries[key.entry]?.event, pinning.pins(fingerprint, of: key.partner)
            else { throw flaw(.unpinned) }
            guard let bytes = Hexadecimal.bytes(signature),
                publicKey.isSignature(bytes, of: Array(statement.statement.utf8))
            else { throw flaw(.forged) }
            guard let visit = try? ForwardedVisit(statement: statement.statement),
                station.pseudonym == "\(visit.station.id)", evidence.registryKeys.contains(visit.to),
                "\(visit.visit.id)" == record["sighting"]
            else { throw flaw(.misplaced) }
            let isTrusted = trusted?.contains(publicKey.fingerprint) ?? false
            var signed =
                found[name]
                ?? (
                    signer: Signer(
                        name: key.name, fingerprint: publicKey.fingerprint, pinned: pinning.time, isTrusted: isTrusted),
                    pinning: key.entry, sighting: record.entry
                )
            signed.signer.sightings += 1
            if !record.isCovered(by: visit.visit) { signed.signer.partial += 1 }
            found[name] = signed
        }
        guard statements.isEmpty else { throw .contradiction("a partner’s signature belongs to no sighting") }
        if let trusted { try Self.check(found, trusted) }
        signers = found.values.sorted { $0.pinning < $1.pinning }.map(\.signer)
    }

    /// A signer, with the audit's entries about its pinning and about the first sighting that it signed.
    private typealias Found = (signer: Signer, pinning: Int64, sighting: Int64)

    /// Checks the signers by the keys that the reader trusts. A partner without such a key is left unchecked: otherwise
    /// any partner could make a pack useless by a sighting. But a trusted key that has signed nothing may be that of an
    /// unchecked signer, in whose name this registry has pinned another one.
    private static func check(_ found: [Key: Found], _ trusted: Set<HashValue>) throws(EvidenceFlaw) {
        let checked = Set(found.filter { $0.value.signer.isTrusted }.map { $0.key.partner })
        let unchecked = found.filter { !$0.value.signer.isTrusted }.sorted { $0.value.sighting < $1.value.sighting }
        if let other = unchecked.first(where: { checked.contains($0.key.partner) }) {
            throw .partner(.untrusted, entry: other.value.sighting)
        }
        let idle = trusted.subtracting(found.values.map { $0.signer.fingerprint })
        if let other = unchecked.first, let key = idle.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            throw .partner(.unmatched(key), entry: other.value.sighting)
        }
    }

    /// A key of a partner.
    private struct Key: Hashable {
        let partner: String
        let fingerprint: String

        init(partner: String, fingerprint: String) {
            self.partner = partner
            self.fingerprint = fingerprint
        }

        init(_ partner: PartnerID, _ key: PublicKey) {
            self.init(partner: "\(partner)", fingerprint: "\(key.fingerprint)")
        }
    }
}

extension CommittedRecord {
    fileprivate subscript(_ name: String) -> String? { record[name] }

    fileprivate func isCovered(by visit: Visit) -> Bool {
        guard let first = record["firstSeen"].flatMap({ Timestamp($0) }),
            let last = record["lastSeen"].flatMap({ Timestamp($0) }), let count = record["count"].flatMap({ Int64($0) })
        else { return false }
        return record["beacon"] == "\(visit.identity)" && visit.covers(first, last, count: count)
    }
}

extension AuditEntry.Event {
    /// The enrolment of a partner's station: its identifier here, its partner, and its pseudonym there.
    fileprivate var partnerStation: (station: String, partner: String, pseudonym: String)? {
        guard action == "station.enrolled", let station, let partner = details["partner"],
            let pseudonym = details["pseudonym"]
        else { return nil }
        return ("\(station)", partner, pseudonym)
    }

    /// Whether the event is that an operator has pinned a key of a partner.
    fileprivate func pins(_ fingerprint: String, of partner: PartnerID) -> Bool {
        guard details["partner"] == "\(partner)" else { return false }
        return switch action {
        case "partner.joined": details["keys"]?.split(at: " ").contains { $0 == fingerprint } == true
        case "partner.changed": details["key"] == fingerprint
        default: false
        }
    }
}
