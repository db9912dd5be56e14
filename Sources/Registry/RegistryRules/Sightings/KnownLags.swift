import Beacons
public import RegistryAPI

/// The lags that a rotating beacon can have: by its last check, and by what stations heard together.
///
/// A sighting refutes others only if its lag is trusted. A single station that lies, or whose clock is wrong, has
/// another lag than the beacon, so it refutes nothing. To report a slot at the beacon's time, a station must have heard
/// it, because the slots that the beacon has not sent yet are secret.
public struct KnownLags: Hashable, Sendable {
    public let clock: BeaconClock
    /// The lags that stations prove, in slots; on either side of the last check's lag, only the nearest ``limit``.
    public let proved: Set<Int64>

    /// How many proved lags count on either side of the last check's lag.
    public static let limit = 32
    /// How many different slots with one lag prove it.
    public static let slots = 3
    /// How many stations must have heard these slots: the sightings of one station with a wrong clock all have the same
    /// wrong lag.
    public static let stations = 2

    public init(_ clock: BeaconClock, proved: some Sequence<Int64>) {
        self.clock = clock
        let sorted = proved.sorted()
        self.proved = Set(sorted.filter { $0 < clock.lag }.suffix(Self.limit))
            .union(sorted.filter { $0 > clock.lag }.prefix(Self.limit))
    }

    /// The number of the slot at the last check.
    private var checked: Int64 { RotationRules.slot(at: clock.checked) }

    /// The lags that the last check allows.
    ///
    /// - Parameter heard: the number of the slot at that time, without regard to any lag; as in all functions below.
    func expected(at heard: Int64) -> ClosedRange<Int64> {
        let tolerance = clock.tolerance(at: heard)
        return clock.lag - tolerance...clock.lag + tolerance
    }

    /// Whether a lag is that of the last check, or a proved one that the beacon can have had at that time: after the
    /// check a greater one, and before it a smaller one.
    public func isTrusted(_ lag: Int64, at heard: Int64) -> Bool {
        expected(at: heard).contains(lag) || isProved(lag, at: heard)
    }

    private func isProved(_ lag: Int64, at heard: Int64) -> Bool {
        let hasGrown = lag > clock.lag
        let isAfterCheck = heard >= checked
        return proved.contains(lag) && hasGrown == isAfterCheck
    }

    /// When a trusted witness refutes others: not before the beacon has ended the slot before the last one.
    ///
    /// A station that lies, or whose clock is behind, can report a slot with a lag that is allowed and smaller than the
    /// beacon's. The times of all others would then look too late.
    ///
    /// - Parameter first: when the witness was first heard.
    public func refutation(firstHeard first: Timestamp, lag: Int64) -> Timestamp {
        let heard = RotationRules.slot(at: first)
        let expected = expected(at: heard)
        // If the lag is an expected one, the clock is late by less than the greatest expected lag. If it was proved, by
        // stations that may differ by a slot, the clock is late by less than two slots more.
        var latest = expected.contains(lag) ? expected.upperBound - 1 : lag + 1
        if abs(lag - clock.lag) > 1, isProved(lag, at: heard) { latest = min(latest, lag + 1) }
        let witnessed = heard - lag
        let start = (witnessed + latest) * Int64(RotatingSlot.seconds)
        return max(first, Timestamp(milliseconds: start * 1000))
    }

    /// The number of slots after which an earlier witness has refuted everything that a later one in a later slot does,
    /// whatever their lags: ``refutation(firstHeard:lag:)`` delays it by less.
    static let longestDelay = 2 * BeaconClock.greatestTolerance + 2

    /// A place to look for trusted witnesses: slots that were heard with one lag.
    public struct Search: Hashable, Sendable {
        public let lag: Int64
        public let slots: ClosedRange<Int64>
    }

    /// Where to look for the witnesses that refute a sighting. In each place, the first slot was heard first.
    ///
    /// - Parameter begin: the number of the first slot, without regard to any lag, in which the beacon may have been
    ///   heard.
    public func searches(refuting sighting: SlotSighting, since begin: Int64) -> [Search] {
        let greatestLag = sighting.lastHeard - sighting.refutedFrom
        return lags(upTo: greatestLag).flatMap { lag in
            searches(lag, heard: max(begin, sighting.refutedFrom + lag), to: sighting.lastHeard)
        }
    }

    /// Where to look for the witnesses that were heard long before another (``longestDelay``), in earlier slots.
    public func searches(before witness: SlotSighting, since begin: Int64) -> [Search] {
        lags(upTo: .max).flatMap { lag in
            searches(lag, heard: begin, to: min(witness.heard - Self.longestDelay, witness.slot - 1 + lag))
        }
    }

    /// All lags that can be trusted at any time.
    private func lags(upTo greatest: Int64) -> [Int64] {
        let tolerance = BeaconClock.greatestTolerance
        let expected = clock.lag - tolerance...clock.lag + tolerance
        return (Array(expected) + proved.filter { !expected.contains($0) }).filter { $0 <= greatest }
    }

    /// The slots with a lag that were heard from one slot to another, while the lag is trusted.
    private func searches(_ lag: Int64, heard first: Int64, to last: Int64) -> [Search] {
        spans(of: lag).compactMap { span in
            let (low, high) = (max(first, span.lowerBound), min(last, span.upperBound))
            return low <= high ? Search(lag: lag, slots: low - lag...high - lag) : nil
        }
    }

    /// The slots, without regard to any lag, in which a lag is trusted.
    private func spans(of lag: Int64) -> [ClosedRange<Int64>] {
        let difference = abs(lag - clock.lag)
        let all = Int64(Int32.min)...Int64(Int32.max)
        // The tolerance is at least one.
        if difference <= 1 { return [all] }
        let isProved = proved.contains(lag)
        let isFar = difference > BeaconClock.greatestTolerance
        // How long before or after the check the tolerance is as great as the difference.
        let age = (difference - 1) * BeaconClock.slotsPerDrift
        var before = isFar ? nil : checked - age
        var after = isFar ? nil : checked + age
        if isProved && lag < clock.lag { before = checked - 1 }
        if isProved && lag > clock.lag { after = checked }
        var spans: [ClosedRange<Int64>] = []
        if let before { spans.append(all.lowerBound...max(before, all.lowerBound)) }
        if let after { spans.append(min(after, all.upperBound)...all.upperBound) }
        return spans
    }
}

extension KnownLags {
    /// The lags that a set of witnesses proves: enough stations must have heard enough different slots with the lag or
    /// one next to it. A store finds the same by look-ups.
    static func proved<Station: Hashable>(by witnesses: [(station: Station, sighting: SlotSighting)]) -> Set<Int64> {
        var near: [Int64: (stations: Set<Station>, slots: Set<Int64>)] = [:]
        for (station, sighting) in witnesses {
            for lag in sighting.lag - 1...sighting.lag + 1 {
                near[lag, default: ([], [])].stations.insert(station)
                near[lag, default: ([], [])].slots.insert(sighting.slot)
            }
        }
        return Set(near.filter { $0.value.stations.count >= stations && $0.value.slots.count >= slots }.keys)
    }
}
