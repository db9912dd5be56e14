import Beacons
import Syntax

/// A visit to a partner's bike, as a registry received it from one of its stations. The partner gets it as a signed text
/// (``SignedVisit``).
public struct ForwardedVisit: Codable, Hashable, Sendable {
    /// The fingerprint of a signing key of the registry that it is for: no other may use it.
    public var to: String
    /// When the sender received it.
    public var received: Timestamp
    public var station: ForwardingStation
    /// The visit with absolute times.
    public var visit: Visit

    public init(to: String, received: Timestamp, station: ForwardingStation, visit: Visit) {
        self.to = to
        self.received = received
        self.station = station
        self.visit = visit
    }
}

/// A station as a partner sees it.
public struct ForwardingStation: Codable, Hashable, Sendable {
    /// A pseudonym: the same for all visits to one partner, and another for each partner.
    public var id: StationID
    /// The name of the station, 1–64 characters.
    public var name: String
    public var mobile: Bool
    /// Where it is located now.
    public var place: Place

    public init(id: StationID, name: String, mobile: Bool, place: Place) {
        self.id = id
        self.name = name
        self.mobile = mobile
        self.place = place
    }
}

/// A visit with the signature of the registry that forwards it.
public struct SignedVisit: Codable, Hashable, Sendable {
    /// The exact text that was signed: ``title`` and a line feed, then a ``ForwardedVisit`` as JSON.
    public var statement: String
    /// The Ed25519 signature, 128 hexadecimal digits.
    public var signature: String

    /// The first line of a statement.
    public static let title = "findmybike forwarded visit 1"
    /// The maximum number of characters of a statement, and of its bytes.
    public static let longest = 4096

    public init(statement: String, signature: String) {
        self.statement = statement
        self.signature = signature
    }
}

/// Body of `POST /v1/partner/visits`. The response is a ``VisitBatchResult``.
public struct ForwardedBatch: Codable, Hashable, Sendable {
    public var visits: [SignedVisit]

    /// The maximum number of visits in one batch.
    public static let maximumCount = 100

    public init(visits: [SignedVisit]) { self.visits = visits }
}

extension ForwardedVisit: WireObject {
    public static let blank = ForwardedVisit(
        to: "", received: .specimen, station: .blank, visit: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("to", &to, .text(64...64))
        fields.required("received", &received, .timestamp)
        fields.required("station", &station, .object())
        fields.required("visit", &visit, .object())
    }
}

extension ForwardingStation: WireObject {
    public static let blank = ForwardingStation(id: .specimen, name: "", mobile: false, place: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("id", &id, .id())
        fields.required("name", &name, .text(1...64))
        fields.required("mobile", &mobile, .boolean)
        fields.required("place", &place, .object())
    }
}

extension SignedVisit: WireObject {
    public static let blank = SignedVisit(statement: "", signature: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("statement", &statement, .text(1...Self.longest, multiline: true))
        fields.required("signature", &signature, .text(128...128))
    }
}

extension ForwardedBatch: WireObject {
    public static let blank = ForwardedBatch(visits: [])

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required(
            "visits", &visits, .array(of: .object(), 1...Self.maximumCount, "a list of 1 to 100 visits"))
    }
}

extension Visit {
    /// Whether this report of a visit says all that a sighting says: the beacon, the times and the count.
    public func covers(_ other: Visit) -> Bool {
        identity == other.identity && covers(other.firstSeen, other.lastSeen, count: other.count)
    }

    /// Whether this report of a visit says that it was there at these times, and was heard so often. Uncertain times may
    /// have been replaced by those of a rotating beacon.
    public func covers(_ first: Timestamp, _ last: Timestamp, count: Int64) -> Bool {
        count <= self.count && (timeUncertain == true || firstSeen <= first && last <= lastSeen)
    }
}

extension ForwardedVisit {
    /// Reads a statement; unknown fields are ignored, since the partner may be newer.
    public init(statement: String) throws(RequestRefusal) {
        guard let json = statement.dropping(prefix: SignedVisit.title + "\n") else {
            throw .fields([FieldError(pointer: "", detail: "must begin with “\(SignedVisit.title)”")])
        }
        self = try BodyParser.parse(Array(json.utf8), as: Self.rule(now: .specimen), unknownFields: .ignored)
    }
}
