/// A place where a station is, or could be.
public struct Site: Hashable, Sendable {
    /// 1–80 characters, for people.
    public let name: String
    /// Such as `cafe`; empty if unknown.
    public let kind: String
    public let place: Coordinates
    /// When its station is switched on, in hours of the day; nil for the hours of the models.
    public let hours: ClosedRange<Double>?

    public init(name: String, kind: String = "", place: Coordinates, hours: ClosedRange<Double>? = nil) {
        self.name = name
        self.kind = kind
        self.place = place
        self.hours = hours
    }
}

/// A place where bikes are stolen.
public struct TheftPlace: Hashable, Sendable {
    public let place: Coordinates
    /// How many, compared with other places, 0 to 10⁹.
    public let weight: Double

    public init(place: Coordinates, weight: Double) {
        self.place = place
        self.weight = weight
    }
}
