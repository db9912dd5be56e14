public import Beacons

/// One stay of one missing bike at one station, as the station reports it: at enter, every few minutes, and when lost.
///
/// Reporting it again, late or out of order merges: the earliest first, the latest last, the highest count.
public struct Visit: Codable, Hashable, Sendable {
    /// Made by the station; never changes.
    public var id: VisitID
    /// Shared by the visits into which a stay of more than 24 hours is cut.
    public var stay: StayID
    public var identity: BeaconIdentity
    public var firstSeen: Timestamp
    /// Accepted from 30 days ago to 5 minutes ahead.
    public var lastSeen: Timestamp
    /// Frames heard, 1…2⁵³; the registry takes the nearest of these, and 1 for none.
    public var count: Int64
    /// Absent where the radio did not tell; the registry takes values out of bounds for absent.
    public var rssi: SignalStrength?
    /// The beacon's claim of its signal strength at 1 m in dBm, −127…20. Zero or more, absent or out of bounds: no distance
    /// can be given. A visit is never refused for it, because anybody can send such frames.
    public var measuredPower: Int
    /// The nearest band that the visit reached; one that the registry does not know counts as unknown.
    public var proximity: Proximity
    /// Where the station was; absent, the enrolled place counts.
    public var place: Place?
    /// Whether the stay has ended.
    public var ended: Bool
    /// Whether the station's clock was not synchronised when the times were taken.
    public var timeUncertain: Bool?
    /// How long before it was sent the beacon was last heard, in seconds by the boot clock, 0…2,592,000: sent by a station
    /// whose wall clock was never set. It replaces ``lastSeen``, and ``firstSeen`` moves along.
    public var secondsAgo: Double?
    /// What a person at the venue says about it, absent where nobody was asked.
    public var confirmation: VisitConfirmation?

    static let countBounds = 1...1 << 53
    /// A measured power that gives no distance.
    static let unknownPower = 0

    public init(
        id: VisitID, stay: StayID, identity: BeaconIdentity, firstSeen: Timestamp, lastSeen: Timestamp, count: Int64,
        rssi: SignalStrength?, measuredPower: Int, proximity: Proximity, place: Place?, ended: Bool,
        timeUncertain: Bool? = nil, secondsAgo: Double? = nil, confirmation: VisitConfirmation? = nil
    ) {
        self.id = id
        self.stay = stay
        self.identity = identity
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.count = count
        self.rssi = rssi
        self.measuredPower = measuredPower
        self.proximity = proximity
        self.place = place
        self.ended = ended
        self.timeUncertain = timeUncertain
        self.secondsAgo = secondsAgo
        self.confirmation = confirmation
    }
}

/// What a person at the venue says about a visit: whether the described bike is there.
public struct VisitConfirmation: Codable, Hashable, Sendable {
    public enum Answer: String, Codable, CaseIterable, Hashable, Sendable {
        /// The described bike was seen.
        case seen
        /// Nobody could see it.
        case absent
    }

    public var answer: Answer
    /// When it was said; the latest counts.
    public var time: Timestamp

    public init(answer: Answer, time: Timestamp) {
        self.answer = answer
        self.time = time
    }
}

/// Extremes of the received signal strength in dBm, each −127…20.
public struct SignalStrength: Codable, Hashable, Sendable {
    public var min: Int
    public var max: Int

    /// What a radio can tell, in dBm.
    static let bounds = -127...20

    public init(min: Int, max: Int) {
        self.min = min
        self.max = max
    }

    public func merged(with other: SignalStrength) -> SignalStrength {
        SignalStrength(min: Swift.min(min, other.min), max: Swift.max(max, other.max))
    }
}

/// Body of `POST /v1/sightings`: at most ``maximumCount`` visits.
public struct VisitBatch: Codable, Hashable, Sendable {
    public static let maximumCount = 500

    public var visits: [Visit]

    public init(visits: [Visit]) {
        self.visits = visits
    }
}

/// Answer to `POST /v1/sightings`, one result for each visit in the order of the batch.
public struct VisitBatchResult: Codable, Hashable, Sendable {
    public var results: [VisitResult]

    public init(results: [VisitResult]) {
        self.results = results
    }
}

public struct VisitResult: Codable, Hashable, Sendable {
    public enum Verdict: String, Codable, CaseIterable, Hashable, Sendable {
        /// The visit is a sighting of a missing bike, and on disk.
        case stored
        /// No bike with this identity is missing. Says no more, so that nobody can probe for bikes: what a visit tells of the
        /// time before a report closed is stored all the same.
        case ignored
        /// The visit breaks the contract; `errors` says where. Sending it again cannot help.
        case invalid
    }

    /// The visit's identifier as it was sent; absent where that was unreadable.
    public var id: VisitID?
    public var result: Verdict
    /// With `stored`: what the station's staff may look for.
    public var lookFor: BikeAppearance?
    /// With `invalid`: pointers into the request's body.
    public var errors: [FieldError]?

    public init(id: VisitID?, result: Verdict, lookFor: BikeAppearance? = nil, errors: [FieldError]? = nil) {
        self.id = id
        self.result = result
        self.lookFor = lookFor
        self.errors = errors
    }
}

extension Visit: WireObject {
    public static let blank = Visit(
        id: .specimen, stay: .specimen, identity: .blank, firstSeen: .specimen, lastSeen: .specimen, count: 1,
        rssi: nil,
        measuredPower: unknownPower, proximity: .unknown, place: nil, ended: false)

    /// Whose visit it is, which beacon and when: a visit without these is invalid. Everything else comes from the air or
    /// adds to a sighting, so that a transmitter beside the bike could have its visits refused: what is absent or out of
    /// bounds there counts as unknown. Whether the times are acceptable depends on the clock and is checked later.
    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("id", &id, .id())
        fields.required("stay", &stay, .id())
        fields.required("identity", &identity, .object())
        fields.required("firstSeen", &firstSeen, .timestamp)
        fields.required("lastSeen", &lastSeen, .timestamp)
        fields.tolerated("count", &count, .clamped(to: Self.countBounds))
        fields.tolerated("rssi", &rssi, .object())
        fields.tolerated("measuredPower", &measuredPower, .integer(SignalStrength.bounds))
        fields.tolerated("proximity", &proximity, .choice())
        fields.tolerated("place", &place, .object())
        fields.tolerated("ended", &ended, .boolean)
        fields.tolerated("timeUncertain", &timeUncertain, .boolean)
        fields.optional("secondsAgo", &secondsAgo, .number(0...2_592_000, "seconds"))
        fields.tolerated("confirmation", &confirmation, .object())
    }

    public static var schema: JSONSchema { rule.schema(unknownFields: .ignored) }
}

extension VisitConfirmation: WireObject {
    public static let blank = VisitConfirmation(answer: .seen, time: .specimen)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("answer", &answer, .choice())
        fields.required("time", &time, .timestamp)
    }
}

extension SignalStrength: WireObject {
    public static let blank = SignalStrength(min: 0, max: 0)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("min", &min, .integer(Self.bounds))
        fields.required("max", &max, .integer(Self.bounds))
        if fields.isSound, min > max { fields.refuse("min", "must not exceed max") }
    }
}

extension VisitBatch {
    /// A visit that breaks its rule does not make the batch invalid: each is judged, and answered, alone.
    public static var schema: JSONSchema {
        .object(
            ["visits": .array(of: .anyOf([.reference(to: "Visit"), JSONSchema()]), 0...maximumCount)],
            required: ["visits"]
        )
    }
}

extension VisitBatchResult: WireObject, JSONWritable {
    public static let blank = VisitBatchResult(results: [])

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("results", results, .array(of: .object()))
    }
}

extension VisitResult: WireObject, JSONWritable {
    public static let blank = VisitResult(id: nil, result: .ignored)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("id", id, .id())
        fields.answered("result", result, .choice())
        fields.answered("lookFor", lookFor, .object())
        fields.answered("errors", errors, .array(of: .object()))
    }
}
