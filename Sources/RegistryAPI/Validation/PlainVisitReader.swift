import Beacons

/// Reads a batch of visits in place, written as stations write it.
///
/// What the contract means is said by the rules (``Visit/rule``), which read a tree and name every refused field; that
/// costs some 15 µs a visit. This reader takes plain and valid texts alone, at a tenth of that. Anything else (a field
/// that it does not know, `null`, an escape, a number out of its bounds, an error of syntax) makes it stop, and the rules
/// read the text from its beginning. So it decides nothing: what it takes, the rules read alike, as a test compares.
struct PlainVisitReader {
    /// The text is for the rules.
    struct NotPlain: Error {}

    private var text: PlainText

    /// The visits of a body, at most ``VisitBatch/maximumCount``; nil where the rules must read it.
    static func visits(in body: [UInt8]) -> [Visit]? {
        var reader = PlainVisitReader(text: PlainText(body))
        return try? reader.batch()
    }

    private mutating func batch() throws(NotPlain) -> [Visit] {
        try text.take("{")
        guard try text.name() == "visits" else { throw NotPlain() }
        try text.take("[")
        var visits: [Visit] = []
        if !text.takeIf("]") {
            repeat {
                guard visits.count < VisitBatch.maximumCount else { throw NotPlain() }
                visits.append(try visit())
            } while text.takeIf(",")
            try text.take("]")
        }
        try text.take("}")
        guard text.isAtEnd else { throw NotPlain() }
        return visits
    }

    /// Each field once, in any order.
    private mutating func visit() throws(NotPlain) -> Visit {
        var id: VisitID?, stay: StayID?, identity: BeaconIdentity?, place: Place?, rssi: SignalStrength?
        var firstSeen: Timestamp?, lastSeen: Timestamp?, count: Int64?, measuredPower: Int64?
        var proximity: Proximity?, ended: Bool?, timeUncertain: Bool?
        try text.take("{")
        repeat {
            switch try text.name() {
            case "id": try once(&id, text.id())
            case "stay": try once(&stay, text.id())
            case "identity": try once(&identity, self.identity())
            case "firstSeen": try once(&firstSeen, text.timestamp())
            case "lastSeen": try once(&lastSeen, text.timestamp())
            case "count": try once(&count, text.integer(in: Visit.countBounds))
            case "rssi": try once(&rssi, signalStrength())
            case "measuredPower": try once(&measuredPower, text.integer(in: SignalStrength.bounds))
            case "proximity": try once(&proximity, Proximity(rawValue: text.string()))
            case "place": try once(&place, self.place())
            case "ended": try once(&ended, text.boolean())
            case "timeUncertain": try once(&timeUncertain, text.boolean())
            default: throw NotPlain()
            }
        } while text.takeIf(",")
        try text.take("}")
        guard let id, let stay, let identity, let firstSeen, let lastSeen, let count, let measuredPower, let proximity,
            let ended
        else { throw NotPlain() }
        return Visit(
            id: id, stay: stay, identity: identity, firstSeen: firstSeen, lastSeen: lastSeen, count: count, rssi: rssi,
            measuredPower: Int(measuredPower), proximity: proximity, place: place, ended: ended,
            timeUncertain: timeUncertain
        )
    }

    private mutating func identity() throws(NotPlain) -> BeaconIdentity {
        var uuid: (high: UInt64, low: UInt64)?, major: Int64?, minor: Int64?
        try text.take("{")
        repeat {
            switch try text.name() {
            case "uuid": try once(&uuid, text.uuid())
            case "major": try once(&major, text.integer(in: 0...0xFFFF))
            case "minor": try once(&minor, text.integer(in: 0...0xFFFF))
            default: throw NotPlain()
            }
        } while text.takeIf(",")
        try text.take("}")
        guard let uuid, let major, let minor else { throw NotPlain() }
        return BeaconIdentity(
            uuid: ProximityUUID(high: uuid.high, low: uuid.low), major: UInt16(clamping: major),
            minor: UInt16(clamping: minor)
        )
    }

    private mutating func signalStrength() throws(NotPlain) -> SignalStrength {
        var min: Int64?, max: Int64?
        try text.take("{")
        repeat {
            switch try text.name() {
            case "min": try once(&min, text.integer(in: SignalStrength.bounds))
            case "max": try once(&max, text.integer(in: SignalStrength.bounds))
            default: throw NotPlain()
            }
        } while text.takeIf(",")
        try text.take("}")
        guard let min, let max, min <= max else { throw NotPlain() }
        return SignalStrength(min: Int(min), max: Int(max))
    }

    private mutating func place() throws(NotPlain) -> Place {
        var latitude: Double?, longitude: Double?, accuracy: Double?
        try text.take("{")
        repeat {
            switch try text.name() {
            case "latitude": try once(&latitude, text.number(in: Place.latitudes))
            case "longitude": try once(&longitude, text.number(in: Place.longitudes))
            case "accuracy": try once(&accuracy, text.number(in: Place.accuracies))
            default: throw NotPlain()
            }
        } while text.takeIf(",")
        try text.take("}")
        guard let latitude, let longitude else { throw NotPlain() }
        return Place(latitude: latitude, longitude: longitude, accuracy: accuracy)
    }

    private func once<Value>(_ field: inout Value?, _ value: Value?) throws(NotPlain) {
        guard field == nil, let value else { throw NotPlain() }
        field = value
    }
}
