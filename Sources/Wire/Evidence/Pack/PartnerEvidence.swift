public import RegistryAPI

/// What partner registries signed of the sightings in a pack: `partners.json`.
public struct PartnerEvidence: Codable, Hashable, Sendable {
    /// The fingerprints of this registry's own keys, present and past: a partner's statement names the one that it is for.
    public var registryKeys: [String] = []
    /// The partners' keys that signed the statements.
    public var keys: [PartnerKey] = []
    /// The signatures, in the order in which the sightings were stored.
    public var statements: [PartnerStatement] = []

    public init(keys: [PartnerKey] = [], statements: [PartnerStatement] = []) {
        self.keys = keys
        self.statements = statements
    }
}

/// A partner's signing key, as this registry's operators have pinned it.
public struct PartnerKey: Codable, Hashable, Sendable {
    /// The partner, by this registry's identifier.
    public var partner: PartnerID
    /// The name that this registry has given the partner.
    public var name: String
    /// The key in PEM (RFC 8410).
    public var publicKey: String
    /// The index of the audit's entry that records the pinning.
    public var entry: Int64

    public init(partner: PartnerID, name: String, publicKey: String, entry: Int64) {
        self.partner = partner
        self.name = name
        self.publicKey = publicKey
        self.entry = entry
    }
}

/// A partner's signature over a visit, as it received it from its station. The audit's entry about the sighting has the
/// signature and the fingerprint of the key among its details.
public struct PartnerStatement: Codable, Hashable, Sendable {
    public var sighting: VisitID
    /// The partner's station, by this registry's identifier.
    public var station: StationID
    /// The exact text that was signed: see ``SignedVisit``.
    public var statement: String
    /// The Ed25519 signature, 128 hexadecimal digits.
    public var signature: String

    /// The names under which an entry's details have the signature and the fingerprint of the key.
    public static let signatureDetail = "signature"
    public static let keyDetail = "key"

    public init(sighting: VisitID, station: StationID, statement: String, signature: String) {
        self.sighting = sighting
        self.station = station
        self.statement = statement
        self.signature = signature
    }

    /// The same as ``CommittedRecord/name``.
    var name: String { "\(sighting) \(station)" }
}
