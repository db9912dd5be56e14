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

/// What two registries exchange when they become partners.
public struct PartnerTerms: Sendable {
    public var url: String
    /// The digest of the token that the partner uses for its calls.
    public var token: SecretDigest
    /// The token for calls to the partner.
    public var secret: String
    /// Its signing keys in PEM, the oldest first.
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
    public var key: Int64
    public var id: PartnerID
    public var name: String
    public var url: String
    public var secret: String
    /// The pinned signing keys in PEM, the oldest first.
    public var publicKeys: [String]
    public var pseudonyms: [UInt8]
    public var limits: PartnerLimits
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
    /// The key of the partner.
    public var partner: Int64
    public var visit: Visit

    public init(partner: Int64, visit: Visit) {
        self.partner = partner
        self.visit = visit
    }
}

/// A visit that waits for a partner.
public struct WaitingForward: Hashable, Sendable {
    public var key: Int64
    public var revision: Int64
    public var station: StationID
    public var name: String
    public var isMobile: Bool
    public var place: Place
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

/// The bounds of what partners can make a registry do.
public enum PartnerRules {
    /// The most hashes on the lists of all partners together. With a registry's own list, a station takes eight
    /// million.
    public static let mostListed = 6_000_000
    /// The most visits that wait for one partner. When a partner is away for long, further ones are not kept for it.
    public static let mostWaiting = 20_000
    /// The most of these of one station: somebody who has its token must not be able to displace those of others.
    public static let mostWaitingOfStation = 2_000
    /// The time for which a visit waits for a partner: as long as for a registry.
    public static let patience = SightingRules.oldest
    /// The most stations of one partner.
    public static let mostStations = 5_000
    /// The shortest time between two moves of a partner's station; further moves do not count.
    public static let betweenMoves = Duration.days(1)
    /// How long the answer to a station waits for partners' answers.
    public static let answerWait = Duration.seconds(2)
    /// The time after which a list that the partner has not confirmed is dropped: most of its bikes may be back.
    public static let longestUnconfirmed = Duration.days(7)
    /// The most numbers of missing bikes that partners get, and the most that are taken from one.
    public static let mostNumbers = 5000
    /// The most partners.
    public static let mostPartners = 100
    /// The most stations whose visits are recorded in one transaction. To judge a visit takes long if many stations
    /// have reported the bike, and other callers' changes wait for the transaction.
    public static let mostStationsTogether = 10
    /// The most signing keys that are pinned for one partner.
    public static let mostKeys = 16
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
