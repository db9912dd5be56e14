public import MissingList
public import RegistryAPI

/// An invitation to another registry; only the digest of its code is known.
public struct NewPartnerInvitation: Sendable {
    public var id: PartnerID
    public var name: String
    public var code: SecretDigest
    public var created: Timestamp
    public var expires: Timestamp
    /// The key of the pseudonyms, 32 random bytes.
    public var pseudonyms: [UInt8]
    public var by: Principal

    public init(
        id: PartnerID, name: String, code: SecretDigest, created: Timestamp, expires: Timestamp, pseudonyms: [UInt8],
        by: Principal
    ) {
        self.id = id
        self.name = name
        self.code = code
        self.created = created
        self.expires = expires
        self.pseudonyms = pseudonyms
        self.by = by
    }
}

/// A code by which a partner gets a new token; only its digest is known.
public struct PartnerRenewal: Sendable {
    public var partner: PartnerID
    public var code: SecretDigest
    public var created: Timestamp
    public var expires: Timestamp
    public var by: Principal

    public init(partner: PartnerID, code: SecretDigest, created: Timestamp, expires: Timestamp, by: Principal) {
        self.partner = partner
        self.code = code
        self.created = created
        self.expires = expires
        self.by = by
    }
}

/// What two registries exchange when they become partners.
public struct PartnerTerms: Sendable {
    /// The partner's address, without a trailing slash.
    public var url: String
    /// The digest of the token that the partner uses for its calls.
    public var token: SecretDigest
    /// The token in the clear, for calls to the partner.
    public var secret: String
    /// The partner's signing keys in PEM. Visits are addressed to the last one.
    public var publicKeys: [String]

    public init(url: String, token: SecretDigest, secret: String, publicKeys: [String]) {
        self.url = url
        self.token = token
        self.secret = secret
        self.publicKeys = publicKeys
    }
}

/// A partner that an operator has not suspended, with everything that is needed to call it.
public struct ActivePartner: Hashable, Sendable {
    /// The key of the partner's row.
    public var key: Int64
    public var id: PartnerID
    public var name: String
    /// The partner's address, without a trailing slash.
    public var url: String
    /// The token for calls to the partner.
    public var secret: String
    /// The pinned signing keys in PEM. Visits are addressed to the last one.
    public var publicKeys: [String]
    /// The key of the stations' pseudonyms, 32 bytes.
    public var pseudonyms: [UInt8]
    public var limits: PartnerLimits
    /// Whether the partner has called with its token.
    public var isUsed: Bool
    /// The version of its list that is stored; nil if none is.
    public var list: ListVersion?
    /// When the partner last confirmed its list.
    public var checked: Timestamp?

    public init(
        key: Int64, id: PartnerID, name: String, url: String, secret: String, publicKeys: [String],
        pseudonyms: [UInt8], limits: PartnerLimits, isUsed: Bool, list: ListVersion?,
        checked: Timestamp? = nil
    ) {
        self.checked = checked
        self.key = key
        self.id = id
        self.name = name
        self.url = url
        self.secret = secret
        self.publicKeys = publicKeys
        self.pseudonyms = pseudonyms
        self.limits = limits
        self.isUsed = isUsed
        self.list = list
    }
}

/// A visit that is on a partner's missing list, to be stored with the visit itself.
public struct PartnerForward: Hashable, Sendable {
    /// The key of the partner (``ActivePartner/key``).
    public var partner: Int64
    public var visit: Visit

    public init(partner: Int64, visit: Visit) {
        self.partner = partner
        self.visit = visit
    }
}

/// A visit that waits for a partner.
public struct WaitingForward: Hashable, Sendable {
    /// The key of the row.
    public var key: Int64
    /// Each update of the visit has a greater one, so that an answer settles only what was sent.
    public var revision: Int64
    public var station: StationID
    /// The name of the station.
    public var name: String
    public var isMobile: Bool
    /// The place of the station.
    public var place: Place
    /// When this registry got the visit.
    public var received: Timestamp
    public var visit: Visit

    public init(
        key: Int64, revision: Int64, station: StationID, name: String, isMobile: Bool, place: Place,
        received: Timestamp, visit: Visit
    ) {
        self.key = key
        self.revision = revision
        self.station = station
        self.name = name
        self.isMobile = isMobile
        self.place = place
        self.received = received
        self.visit = visit
    }
}

/// A partner's report of a visit, with the signature that it verified by. A class, so that visits without one cost
/// nothing.
public final class SignedReport: Sendable {
    public let signed: SignedVisit
    /// The fingerprint of the pinned key, 64 hexadecimal digits.
    public let key: String
    /// The visit in the statement.
    public let visit: Visit

    public init(_ signed: SignedVisit, key: String, visit: Visit) {
        self.signed = signed
        self.key = key
        self.visit = visit
    }
}
