public import RegistryAPI

/// What is known about a rotating beacon's clock.
public struct BeaconClock: Hashable, Sendable {
    /// How many slots it lags behind; negative if it is ahead.
    public var lag: Int64
    /// The time when that was measured.
    public var checked: Timestamp

    public init(lag: Int64, checked: Timestamp) {
        self.lag = lag
        self.checked = checked
    }

    /// The greatest difference between this lag and the one at another time if the clock has only drifted: one slot,
    /// and one more for each 10,000 slots, since a clock drifts by at most 100 parts per million.
    ///
    /// - Parameter heard: the number of the slot at that time, without regard to any lag.
    func tolerance(at heard: Int64) -> Int64 {
        min(1 + abs(heard - RotationRules.slot(at: checked)) / Self.slotsPerDrift, Self.greatestTolerance)
    }

    /// The number of slots in which a clock drifts by at most one.
    static let slotsPerDrift: Int64 = 10_000
    /// The tolerance after ten years.
    static let greatestTolerance: Int64 = 32

    /// The time at which a beacon with this clock sends a slot.
    public func time(of slot: Int64) -> ClosedRange<Timestamp> {
        let start = (slot + lag) << 10
        return Timestamp(milliseconds: start * 1000)...Timestamp(milliseconds: (start + 1024) * 1000)
    }
}
