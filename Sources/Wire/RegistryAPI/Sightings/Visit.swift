public import Beacons

/// One stay of one missing bike at one station, which the station reports at the start, every few minutes, and at the
/// end.
///
/// Repeated, late or out-of-order reports are merged: the earliest first time, the latest last time, the highest count.
public struct Visit: Codable, Hashable, Sendable {
    /// Created by the station; never changes.
    public var id: VisitID
    /// Shared by the visits into which a stay of more than 24 hours is split.
    public var stay: StayID
    public var identity: BeaconIdentity
    public var firstSeen: Timestamp
    /// Accepted if it is at most 30 days in the past and 5 minutes in the future. The registry treats a time in the
    /// future as the time of arrival.
    public var lastSeen: Timestamp
    /// The number of frames heard, 1…2⁵³; the registry uses the nearest value in this range, and 1 if it is absent.
    public var count: Int64
    /// The signal strength; absent if the radio did not measure it. The registry treats values out of bounds as absent.
    public var rssi: SignalStrength?
    /// The signal strength at 1 m that the beacon claims, in dBm, −127…20. If it is zero or more, absent or out of
    /// bounds, no distance can be estimated. A visit is never refused for this, because anybody can send such frames.
    public var measuredPower: Int
    /// The nearest proximity of the visit; an unknown value is treated as `unknown`.
    public var proximity: Proximity
    /// The station's place; if it is absent, the enrolled place is used.
    public var place: Place?
    /// Whether the stay has ended.
    public var ended: Bool
    /// Whether the station's clock was not synchronised when the times were taken.
    public var timeUncertain: Bool?
    /// The seconds, as measured by the boot clock, between the last frame and sending, 0…2,592,000. A station whose
    /// wall clock has never been set sends this. It replaces ``lastSeen``, and ``firstSeen`` shifts by the same amount.
    public var secondsAgo: Double?
    /// The confirmation of a person at the venue; absent if there is none.
    public var confirmation: VisitConfirmation?
    /// The receiver of the strongest frame; absent if that was an adapter of the station. The registry keeps the
    /// receiver of the strongest report, and treats one that is invalid as absent.
    public var receiver: VenueReceiver?

    /// The values of ``count``: integers that a double represents exactly.
    static let countBounds = 1...1 << 53
    /// The values of ``secondsAgo``: up to 30 days.
    public static let secondsAgoBounds = 0...2_592_000
    /// A measured power that allows no estimate of the distance.
    static let unknownPower = 0

    public init(
        id: VisitID, stay: StayID, identity: BeaconIdentity, firstSeen: Timestamp, lastSeen: Timestamp, count: Int64,
        rssi: SignalStrength?, measuredPower: Int, proximity: Proximity, place: Place?, ended: Bool,
        timeUncertain: Bool? = nil, secondsAgo: Double? = nil, confirmation: VisitConfirmation? = nil,
        receiver: VenueReceiver? = nil
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
        self.receiver = receiver
    }
}

/// The confirmation of a person at the venue: whether the described bike is there.
public struct VisitConfirmation: Codable, Hashable, Sendable {
    /// What the person says.
    public enum Answer: String, Codable, CaseIterable, Hashable, Sendable {
        /// The described bike was seen.
        case seen
        /// The described bike was not seen.
        case absent
    }

    public var answer: Answer
    /// The time of the confirmation; the latest one applies.
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

    /// The values that a radio can measure, in dBm.
    static let bounds = -127...20

    public init(min: Int, max: Int) {
        self.min = min
        self.max = max
    }

    /// The extremes of both.
    public func merged(with other: SignalStrength) -> SignalStrength {
        SignalStrength(min: Swift.min(min, other.min), max: Swift.max(max, other.max))
    }
}

/// Body of `POST /v1/sightings`: at most ``maximumCount`` visits.
public struct VisitBatch: Codable, Hashable, Sendable {
    /// The maximum number of visits in one batch.
    public static let maximumCount = 500

    public var visits: [Visit]
    /// `false` if the venue does not want partner registries to get these visits; absent means that they may.
    public var partners: Bool?

    public init(visits: [Visit], partners: Bool? = nil) {
        self.visits = visits
        self.partners = partners
    }
}

/// Response to `POST /v1/sightings`, one result for each visit in the order of the batch.
public struct VisitBatchResult: Codable, Hashable, Sendable {
    public var results: [VisitResult]

    public init(results: [VisitResult]) {
        self.results = results
    }
}

/// The registry's answer about one visit of a batch.
public struct VisitResult: Codable, Hashable, Sendable {
    /// What became of the visit.
    public enum Verdict: String, Codable, CaseIterable, Hashable, Sendable {
        /// The visit is a sighting of a missing bike, and is on disk.
        case stored
        /// No bike with this identity is missing. There are no details, so that stations cannot probe for bikes. The
        /// part of a visit before a report closed is stored nevertheless.
        case ignored
        /// The visit violates the contract; `errors` says where. Sending it again does not help.
        case invalid
    }

    /// The visit's identifier as it was sent; absent if it was unreadable.
    public var id: VisitID?
    public var result: Verdict
    /// With `stored`: the appearance of the bike that the station's staff may look for.
    public var lookFor: BikeAppearance?
    /// With `stored`: the first of the stays that this visit continues; absent if it begins a new one. A beacon with
    /// rotating identities begins a visit every 17 minutes, and staff must not be alerted each time.
    public var continues: StayID?
    /// With `invalid`: the refused fields, with pointers into the request's body.
    public var errors: [FieldError]?

    public init(
        id: VisitID?, result: Verdict, lookFor: BikeAppearance? = nil, continues: StayID? = nil,
        errors: [FieldError]? = nil
    ) {
        self.id = id
        self.result = result
        self.lookFor = lookFor
        self.continues = continues
        self.errors = errors
    }
}

extension Visit: WireObject {
    public static let blank = Visit(
        id: .specimen, stay: .specimen, identity: .blank, firstSeen: .specimen, lastSeen: .specimen, count: 1,
        rssi: nil,
        measuredPower: unknownPower, proximity: .unknown, place: nil, ended: false)

    /// Describes the fields. Only the identifiers, the beacon and the times make a visit invalid. In all other fields,
    /// absent or out-of-range values count as unknown: they come from the air or are additional, and a transmitter next
    /// to the bike could otherwise have its visits refused. Whether the times are acceptable depends on the clock and
    /// is checked later.
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
        fields.optional("secondsAgo", &secondsAgo, .number(Self.secondsAgoBounds, "seconds"))
        fields.tolerated("confirmation", &confirmation, .object())
        fields.tolerated("receiver", &receiver, .object())
    }

    /// The contract's schema of a visit.
    public static func schema(now: Timestamp) -> JSONSchema { rule(now: now).schema(unknownFields: .ignored) }
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
    /// The schema of a batch. An invalid visit does not make the batch invalid: each visit has its own result. Nor does an
    /// invalid `partners`, which counts as `false`.
    public static var schema: JSONSchema {
        .object(
            [
                "visits": .array(of: .anyOf([.reference(to: "Visit"), JSONSchema()]), 0...maximumCount),
                "partners": .anyOf([.type("boolean"), JSONSchema()]),
            ],
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
        fields.answered("continues", continues, .id())
        fields.answered("errors", errors, .array(of: .object()))
    }
}
