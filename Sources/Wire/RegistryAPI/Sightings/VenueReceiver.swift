import Syntax

/// The receiver of a station that heard a beacon best. Only the venue's receivers in the network have names; the
/// station's own adapters have none.
public struct VenueReceiver: Codable, Hashable, Sendable {
    /// The venue's own name for it: letters and digits of ASCII, `.`, `_` and `-`.
    public var name: String
    /// Its place as the station reports it; absent if the station does not know it, is mobile, or reports a place for
    /// the receiver more than 400 metres from the station.
    public var place: Place?

    /// The lengths of a name: that of a radio in a heartbeat.
    static let nameLength = 1...32
    /// The greatest distance of a receiver from its station in metres: the range of a radio at both places. The
    /// registry never disputes a station's reported place that is within this distance of its surveyed place.
    public static let farthest = 400.0

    public init(name: String, place: Place? = nil) {
        self.name = name
        self.place = place
    }

    /// Whether a receiver may have this name. Adapters are named `hci0` and so on. With letters outside ASCII, two
    /// different names could look the same.
    public static func isName(_ text: String) -> Bool {
        nameLength.contains(text.utf8.count) && !text.begins(with: "hci")
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0) }
            && text.contains { $0.isLetter || $0.isNumber }
    }

    /// Whether a receiver at this place can belong to a station at another place.
    public static func canStand(at place: Place, ofStationAt station: Place) -> Bool {
        place.distance(to: station) <= farthest
    }

    /// The receiver of the strongest frame, given those of two reports of a visit and their signals.
    ///
    /// Nil is an adapter of the station. Equal signals are ordered by name, then by place, so that the order of the
    /// reports does not matter.
    public static func strongest(
        _ one: (receiver: VenueReceiver?, rssi: SignalStrength?),
        _ other: (receiver: VenueReceiver?, rssi: SignalStrength?)
    ) -> VenueReceiver? {
        let strength = one.rssi?.max ?? .min
        let otherStrength = other.rssi?.max ?? .min
        guard strength == otherStrength else { return strength > otherStrength ? one.receiver : other.receiver }
        guard let first = one.receiver, let second = other.receiver else { return one.receiver ?? other.receiver }
        return first.precedes(second) ? second : first
    }

    /// Whether it comes before another one in the order of names, then of places; one without a place comes first.
    private func precedes(_ other: VenueReceiver) -> Bool {
        guard name.utf8.elementsEqual(other.name.utf8) else {
            return name.utf8.lexicographicallyPrecedes(other.name.utf8)
        }
        guard let place, let otherPlace = other.place else { return place == nil && other.place != nil }
        return (place.latitude, place.longitude, place.accuracy ?? -1)
            < (otherPlace.latitude, otherPlace.longitude, otherPlace.accuracy ?? -1)
    }
}

extension VenueReceiver: WireObject {
    public static let blank = VenueReceiver(name: "-")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("name", &name, .text(Self.nameLength))
        fields.tolerated("place", &place, .object())
        if fields.isSound, !Self.isName(name) { fields.refuse("name", "must be A to Z, digits, ., _ and -") }
    }
}
