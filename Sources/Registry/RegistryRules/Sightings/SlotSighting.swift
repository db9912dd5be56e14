public import RegistryAPI

/// What a sighting says about the clock of a rotating beacon.
///
/// The lag is how many slots the beacon's clock was behind when it was heard. A clock drifts a little, loses the time
/// that the beacon is without power, and gains at most a slot with each restart.
public struct SlotSighting: Hashable, Sendable {
    /// The number of the slot whose identity was heard.
    public let slot: Int64
    public let firstSeen: Timestamp
    public let lastSeen: Timestamp
    public let timeUncertain: Bool
    /// Whether its own data cast no doubt on it, whatever other stations heard.
    public let isUndisputed: Bool

    public init(slot: Int64, firstSeen: Timestamp, lastSeen: Timestamp, timeUncertain: Bool, isUndisputed: Bool) {
        self.slot = slot
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.timeUncertain = timeUncertain
        self.isUndisputed = isUndisputed
    }

    /// The number of the slot in which it was first heard, without regard to any lag.
    public var heard: Int64 { RotationRules.slot(at: firstSeen) }
    /// The same for the last moment.
    var lastHeard: Int64 { RotationRules.slot(at: lastSeen) }
    /// The lag at the first moment, in slots.
    public var lag: Int64 { heard - slot }

    /// Whether its time is certain, and reaches at most into the next slot.
    private var isOfOneSlot: Bool { !timeUncertain && firstSeen <= lastSeen && lastHeard - heard <= 1 }

    /// Whether others may be judged by it.
    public var isWitness: Bool { isUndisputed && isOfOneSlot }
}

extension SlotSighting {
    /// The tolerated difference between the clocks of two stations, in milliseconds.
    private static let tolerance = Int64(Plausibility.clockTolerance * 1000)

    /// How long after a later slot's refutation this sighting must have been heard to be a replay, in milliseconds.
    private var replayTolerance: Int64 {
        timeUncertain ? SightingRules.longestDelay.components.seconds * 1000 : Self.tolerance
    }

    /// The first slot that refutes it if it was heard before. The next slot does not, since clocks differ.
    public var refutedFrom: Int64 { slot + 2 }

    /// Whether a witness can refute it; the witness's lag must be trusted, too.
    public func canBeRefuted(by witness: SlotSighting, _ lags: KnownLags) -> Bool {
        witness.slot >= refutedFrom
            && isReplayed(laterHeard: lags.refutation(firstHeard: witness.firstSeen, lag: witness.lag))
    }

    /// Whether only the beacon can have sent this at that time: its lag is that of the last check, or one that stations
    /// prove together.
    private func isProved(_ lags: KnownLags) -> Bool {
        guard isOfOneSlot else { return false }
        let expected = lags.expected(at: heard)
        if lag >= expected.lowerBound && lastHeard - slot <= expected.upperBound { return true }
        return isUndisputed && lags.isTrusted(lag, at: heard)
    }

    /// Whether it was last heard after a later slot had refuted it.
    private func isReplayed(laterHeard: Timestamp) -> Bool {
        lastSeen.milliseconds > laterHeard.milliseconds + replayTolerance
    }

    /// The reasons that follow from the slot.
    ///
    /// - Parameter laterHeard: from when on a trusted witness of ``refutedFrom`` or a later slot refutes others
    ///   (``KnownLags/refutation(firstHeard:lag:)``); nil if there is none.
    public func reasons(_ lags: KnownLags, laterHeard: Timestamp?) -> Set<SightingReason> {
        var reasons: Set<SightingReason> = []
        if isProved(lags) { reasons.insert(.beaconProved) }
        if let laterHeard, isReplayed(laterHeard: laterHeard) { reasons.insert(.replayed) }
        return reasons
    }
}
