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
    public enum Flaw: Error, Hashable, Sendable {
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
    ///   - records: the audit's records of the sightings in the pack.
    ///   - audit: entries that belong to the registry's chain.
    ///   - trusted: the fingerprints of partners' keys that the reader trusts; nil if the reader has given none. Partners
    ///     without such a key are not compared with any.
    init(
        _ evidence: PartnerEvidence, _ records: [CommittedRecord], _ audit: [AuditEntry], trusted: Set<HashValue>?
    ) throws(EvidenceFlaw) {
        let check = SignatureCheck(evidence, audit)
        var statements = Dictionary(evidence.statements.map { ($0.name, $0) }) { first, _ in first }
        guard statements.count == evidence.statements.count else {
            throw .contradiction("a sighting has two signatures of partners")
        }
        var found: [KeyName: FoundSigner] = [:]
        for record in records {
            let statement = statements.removeValue(forKey: record.name)
            let signature: VerifiedSignature?
            do {
                signature = try check.verifiedSignature(statement, of: record)
            } catch {
                throw .partner(error, entry: record.entry)
            }
            guard let signature else {
                if check.station(of: record) != nil { unsigned += 1 }
                continue
            }
            let isTrusted = trusted?.contains(signature.fingerprint) ?? false
            found[signature.key, default: FoundSigner(signature, record, isTrusted: isTrusted)].add(signature, record)
        }
        guard statements.isEmpty else { throw .contradiction("a partner’s signature belongs to no sighting") }
        if let trusted { try Self.checkTrust(found, trusted) }
        signers = found.values.sorted { $0.pinning < $1.pinning }.map(\.signer)
    }

    /// A signer, with the indices of the audit's entries about its pinning and about the first sighting that it signed.
    private struct FoundSigner {
        var signer: Signer
        let pinning: Int64
        let sighting: Int64

        /// Begins with no sighting.
        init(_ signature: VerifiedSignature, _ record: CommittedRecord, isTrusted: Bool) {
            signer = Signer(
                name: signature.name, fingerprint: signature.fingerprint, pinned: signature.pinned,
                isTrusted: isTrusted)
            pinning = signature.pinning
            sighting = record.entry
        }

        /// Counts a sighting that it signed.
        mutating func add(_ signature: VerifiedSignature, _ record: CommittedRecord) {
            signer.sightings += 1
            if !record.isCovered(by: signature.visit) { signer.partial += 1 }
        }
    }

    /// Checks the signers by the keys that the reader trusts. A partner without such a key is left unchecked: otherwise
    /// any partner could make a pack useless by a sighting. But a trusted key that has signed nothing may be that of an
    /// unchecked signer, in whose name this registry has pinned another one.
    private static func checkTrust(_ found: [KeyName: FoundSigner], _ trusted: Set<HashValue>) throws(EvidenceFlaw) {
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
}

/// A statement of a partner about a sighting, whose signature agrees with the audit.
private struct VerifiedSignature {
    let key: KeyName
    /// The name that this registry has given the partner.
    let name: String
    /// The fingerprint of the key.
    let fingerprint: HashValue
    /// The index of the audit's entry that records the pinning of the key, and the time of it.
    let pinning: Int64
    let pinned: Timestamp
    /// The visit that the partner signed.
    let visit: Visit
}

/// Checks single signatures by the audit's entries and the partners' keys.
private struct SignatureCheck {
    /// The audit's entries by their indices.
    private let entries: [Int64: AuditEntry]
    /// The partners' stations by this registry's identifiers.
    private let stations: [String: PartnerStation]
    private let keys: [KeyName: (pinnedKey: PartnerKey, publicKey: PublicKey)]
    /// The fingerprints of this registry's own keys.
    private let registryKeys: [String]

    init(_ evidence: PartnerEvidence, _ audit: [AuditEntry]) {
        entries = Dictionary(audit.map { ($0.index, $0) }) { first, _ in first }
        let enrolled = audit.compactMap { $0.event?.partnerStation }
        stations = Dictionary(enrolled.map { ($0.station, $0) }) { first, _ in first }
        var keys: [KeyName: (pinnedKey: PartnerKey, publicKey: PublicKey)] = [:]
        for key in evidence.keys {
            guard let publicKey = PublicKey(pem: key.publicKey) else { continue }
            let name = KeyName(key.partner, publicKey)
            if keys[name] == nil { keys[name] = (pinnedKey: key, publicKey: publicKey) }
        }
        self.keys = keys
        registryKeys = evidence.registryKeys
    }

    /// The partner's station that a record names; nil for a station of this registry.
    func station(of record: CommittedRecord) -> PartnerStation? { record["station"].flatMap { stations[$0] } }

    /// Checks the statement about a sighting by what the audit says of it.
    ///
    /// - Parameter statement: nil if the pack has none about the sighting.
    /// - Returns: nil if there is no statement, and by the audit there was none.
    func verifiedSignature(
        _ statement: PartnerStatement?, of record: CommittedRecord
    ) throws(PartnerVerification.Flaw) -> VerifiedSignature? {
        guard let details = entries[record.entry]?.event?.details,
            let signature = details[PartnerStatement.signatureDetail],
            let fingerprint = details[PartnerStatement.keyDetail]
        else {
            guard statement == nil else { throw .misplaced }
            return nil
        }
        guard let statement else { throw .missing }
        guard statement.signature == signature, let station = station(of: record) else { throw .misplaced }
        // A registry that was a partner twice, under two identifiers, may have had the same key.
        let key = KeyName(partner: station.partner, fingerprint: fingerprint)
        guard let (pinnedKey, publicKey) = keys[key], pinnedKey.entry < record.entry,
            let pinning = entries[pinnedKey.entry]?.event, pinning.pins(fingerprint, of: pinnedKey.partner)
        else { throw .unpinned }
        guard let bytes = Hexadecimal.bytes(signature),
            publicKey.isSignature(bytes, of: Array(statement.statement.utf8))
        else { throw .forged }
        guard let visit = try? ForwardedVisit(statement: statement.statement),
            station.pseudonym == "\(visit.station.id)", registryKeys.contains(visit.to),
            "\(visit.visit.id)" == record["sighting"]
        else { throw .misplaced }
        return VerifiedSignature(
            key: key, name: pinnedKey.name, fingerprint: publicKey.fingerprint, pinning: pinnedKey.entry,
            pinned: pinning.time, visit: visit.visit)
    }
}

/// What identifies a key of a partner: the partner's identifier and the key's fingerprint, as the audit writes them.
private struct KeyName: Hashable {
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

/// The enrolment of a partner's station: its identifier here, its partner, and its pseudonym there.
private struct PartnerStation {
    let station: String
    let partner: String
    let pseudonym: String
}

extension CommittedRecord {
    fileprivate subscript(_ name: String) -> String? { record[name] }

    /// Whether the visit that a partner signed says all that the record says; otherwise several reports were merged.
    fileprivate func isCovered(by visit: Visit) -> Bool {
        guard let first = record["firstSeen"].flatMap({ Timestamp($0) }),
            let last = record["lastSeen"].flatMap({ Timestamp($0) }), let count = record["count"].flatMap({ Int64($0) })
        else { return false }
        return record["beacon"] == "\(visit.identity)" && visit.covers(first, last, count: count)
    }
}

extension AuditEntry.Event {
    /// The partner's station that the event enrolled; nil for any other event.
    fileprivate var partnerStation: PartnerStation? {
        guard action == "station.enrolled", let station, let partner = details["partner"],
            let pseudonym = details["pseudonym"]
        else { return nil }
        return PartnerStation(station: "\(station)", partner: partner, pseudonym: pseudonym)
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
