/// Takes what becomes of the bikes of a simulation: one bike after the other, from ``begin(model:area:)`` to ``end()``.
protocol HearingSink {
    /// Whether it wants to know every time that a station hears a bike, not only the first.
    var wantsAll: Bool { get }
    /// A bike is stolen.
    ///
    /// - Parameters:
    ///   - model: the index of the kind of thief.
    ///   - area: the cell in which it is stolen.
    mutating func begin(model: Int, area: Int)
    /// The owner reports the theft; called before the bike is heard.
    ///
    /// - Parameter clock: seconds since midnight.
    mutating func reported(at clock: Double)
    /// A station has heard the bike.
    ///
    /// - Parameters:
    ///   - station: the index of a station, or of a vehicle after all stations.
    ///   - seconds: since the report.
    mutating func heard(_ station: Int32, after seconds: Double)
    /// A station hears the bike for some time; as ``heard(_:after:)`` if that does not matter.
    mutating func heard(_ station: Int32, after seconds: Double, until end: Double)
    /// The search for the bike is over.
    mutating func end()
}

extension HearingSink {
    var wantsAll: Bool { false }

    mutating func reported(at clock: Double) {}

    mutating func heard(_ station: Int32, after seconds: Double, until end: Double) { heard(station, after: seconds) }
}
