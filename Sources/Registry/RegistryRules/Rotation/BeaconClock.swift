import Beacons
public import RegistryAPI

/// What is known about a rotating beacon's clock.
public struct BeaconClock: Hashable, Sendable {
    /// How many slots (of 1,024 seconds) it lags behind; negative if it is ahead.
    public var lag: Int64
    /// The time when that was measured.
    public var checked: Timestamp

    public init(lag: Int64, checked: Timestamp) {
        self.lag = lag
        self.checked = checked
    }

    /// The greatest difference, in slots, between this lag and the one at another time if the clock has only drifted:
    /// one slot, and one more for each 10,000 slots, since a clock drifts by at most 100 parts per million.
    ///
    /// - Parameter heard: the number of the slot at that time, without regard to any lag.
    func tolerance(at heard: Int64) -> Int64 {
        let age = abs(heard - RotationRules.slot(at: checked))
        return min(1 + age / Self.slotsPerDrift, Self.greatestTolerance)
    }

    /// The number of slots in which a clock drifts by at most one.
    static let slotsPerDrift: Int64 = 10_000
    /// The tolerance after ten years.
    static let greatestTolerance: Int64 = 32

    /// The time at which a beacon with this clock sends a slot.
    public func time(of slot: Int64) -> ClosedRange<Timestamp> {
        let length = Int64(RotatingSlot.seconds) * 1000
        let start = (slot + lag) * length
        return Timestamp(milliseconds: start)...Timestamp(milliseconds: start + length)
    }
}
