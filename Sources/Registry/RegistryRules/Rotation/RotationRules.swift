package import Beacons
public import RegistryAPI

/// The rules for the slots of rotating beacons. Slots of 1,024 seconds are numbered since 1970; a beacon with a lag
/// sends slot *now − lag*. All lags, numbers and distances are in slots.
public enum RotationRules {
    /// How far before the present slot the missing list reaches: a day.
    static let slotsBehind: Int64 = 84
    /// The same for a beacon that was not checked for ``longUnchecked``: a week.
    static let manySlotsBehind: Int64 = 590
    /// How far after the present slot the list reaches: 30 hours, for stations that have been offline for a day.
    static let slotsAhead: Int64 = 105
    /// The number of slots between two refreshes, which move all windows: nearly six hours.
    public static let refreshInterval: Int64 = 21
    /// How long slots are kept after they have passed: 30 days.
    static let slotsKept: Int64 = 30 * 86_400 / Int64(RotatingSlot.seconds)
    /// How long after a check the window becomes longer.
    static let longUnchecked = Duration.days(180)
    /// The longest time between two visits of one beacon at one station that belong to one stay.
    public static let longestPause = Duration.seconds(600)
    /// The greatest change of a lag that drift or a new battery explains, in slots. The owner gets a notice of a
    /// greater one.
    static let ordinaryChange = 2
    /// The greatest lag that a check finds: a year without power.
    static let greatestLag: Int64 = 366 * 86_400 / Int64(RotatingSlot.seconds)

    /// The number of checks of beacons' clocks that one owner's bikes can have in a day.
    static let checksPerDay = 20

    /// The number of the slot at a time, without regard to any lag.
    public static func slot(at time: Timestamp) -> Int64 { (time.milliseconds / 1000) >> 10 }

    /// The number of the refresh that is due at a time.
    public static func refresh(at time: Timestamp) -> Int64 { slot(at: time) / refreshInterval }

    /// The slots that belong on the missing list at a time.
    public static func window(at time: Timestamp, _ clock: BeaconClock) -> ClosedRange<Int64> {
        let present = slot(at: time) - clock.lag
        let isLongUnchecked = clock.checked.duration(to: time) > longUnchecked
        let behind = isLongUnchecked ? manySlotsBehind : slotsBehind
        return clamped(present - behind, present + slotsAhead)
    }

    /// The slots that must be stored now, so that the next refresh finds the slots of its window.
    package static func needed(at time: Timestamp, _ clock: BeaconClock) -> ClosedRange<Int64> {
        let window = window(at: time, clock)
        return clamped(window.lowerBound, window.upperBound + refreshInterval)
    }

    /// The first slot that is kept at a time.
    public static func firstKept(at time: Timestamp, _ clock: BeaconClock) -> Int64 {
        slot(at: time) - clock.lag - slotsKept
    }

    /// The slots to derive, given those that are stored; nil if none is missing. The result is next to the stored
    /// slots, unless these are too old to be continued. If slots are missing at both ends, it is the part before.
    public static func missing(
        at time: Timestamp, _ clock: BeaconClock, stored: ClosedRange<Int64>?
    ) -> ClosedRange<Int64>? {
        let needed = needed(at: time, clock)
        // Derives more than is needed now, so that not every refresh finds a slot missing.
        let wanted = clamped(needed.lowerBound, needed.upperBound + refreshInterval)
        guard let stored, stored.upperBound >= firstKept(at: time, clock), stored.lowerBound <= wanted.upperBound
        else { return wanted }
        if stored.lowerBound > needed.lowerBound { return needed.lowerBound...stored.lowerBound - 1 }
        guard stored.upperBound < needed.upperBound else { return nil }
        return stored.upperBound + 1...wanted.upperBound
    }

    /// The slots to derive at both ends of those that are stored, in the order in which they must be stored.
    package static func allMissing(
        at time: Timestamp, _ clock: BeaconClock, stored: ClosedRange<Int64>?
    ) -> [ClosedRange<Int64>] {
        guard let first = missing(at: time, clock, stored: stored) else { return [] }
        // If the first part is not before the stored slots, there is no other part.
        guard let stored, first.upperBound + 1 == stored.lowerBound,
            let second = missing(at: time, clock, stored: first.lowerBound...stored.upperBound)
        else { return [first] }
        return [first, second]
    }

    /// The latest slot in which a beacon sends one of these identities: from a week ahead, as after hundreds of
    /// restarts, to a year behind. Nil if there is none.
    package static func slot(
        of key: RotatingBeaconKey, among heard: Set<BeaconIdentity>, at time: Timestamp
    ) -> Int64? {
        let present = slot(at: time)
        let first = present - greatestLag
        var last = present + manySlotsBehind
        // Begins with the latest slots: a clock is seldom far behind.
        while last >= first {
            let begin = max(first, last - slotsAtOnce + 1)
            // There is no slot before 1970.
            let part = max(begin, 0)...max(last, 0)
            let identities = key.identities(of: part)
            if let index = identities.lastIndex(where: heard.contains) { return part.lowerBound + Int64(index) }
            last = begin - 1
        }
        return nil
    }

    /// The number of slots whose identities are compared together.
    private static let slotsAtOnce: Int64 = 512

    /// The slots from one number to another, without those that no beacon's clock reaches.
    private static func clamped(_ first: Int64, _ last: Int64) -> ClosedRange<Int64> {
        let all = Int64(RotatingSlot.all.lowerBound.number)...Int64(RotatingSlot.all.upperBound.number)
        let first = min(max(first, all.lowerBound), all.upperBound)
        return first...min(max(last, first), all.upperBound)
    }
}

extension RotatingBeaconKey {
    /// The identities of slots, in their order; empty if there is one that no beacon's clock reaches.
    package func identities(of slots: ClosedRange<Int64>) -> [BeaconIdentity] {
        guard let first = RotatingSlot(slots.lowerBound), let last = RotatingSlot(slots.upperBound) else { return [] }
        return identities(in: first...last)
    }
}

/// The owners who may have rotating beacons.
public enum RotatingBeaconPolicy: String, CaseIterable, Hashable, Sendable {
    case everyone
    /// Owners whom an operator has verified. Phones do not recognise a rotating beacon, so a person who is followed
    /// with one notices nothing.
    case verified
}
