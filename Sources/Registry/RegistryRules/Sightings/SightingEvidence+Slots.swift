public import RegistryAPI

// What the slots of a rotating beacon say about a sighting: pure functions of all sightings of the report, and of the
// beacon's last check.
extension SightingEvidence {
    /// What this sighting of a slot says about the rotating beacon's clock.
    public func slotSighting(_ slot: Int64) -> SlotSighting {
        SlotSighting(
            slot: slot, firstSeen: firstSeen, lastSeen: lastSeen, timeUncertain: timeUncertain,
            isUndisputed: isUndisputed)
    }
}

extension Plausibility {
    /// The reasons of each sighting that follow from slots. This compares all sightings; a store looks up the same
    /// results.
    public static func slotReasons(of sightings: [SightingEvidence]) -> [Set<SightingReason>] {
        let witnesses = sightings.compactMap { evidence in
            evidence.slot.map { (station: evidence.station, sighting: evidence.slotSighting($0.slot)) }
        }
        .filter(\.sighting.isWitness)
        let proved = KnownLags.proved(by: witnesses)
        var known: [BeaconClock: Refutations] = [:]
        return sightings.map { evidence in
            guard let slot = evidence.slot else { return [] }
            let refutations =
                known[slot.clock]
                ?? Refutations(by: witnesses.map(\.sighting), KnownLags(slot.clock, proved: proved))
            known[slot.clock] = refutations
            let sighting = evidence.slotSighting(slot.slot)
            return sighting.reasons(
                refutations.lags, laterHeard: refutations.earliest(fromSlot: sighting.refutedFrom))
        }
    }
}

/// When the trusted witnesses of a beacon refute others.
private struct Refutations {
    let lags: KnownLags
    /// For each slot, in order: the first time at which witnesses of this slot or a later one refute others.
    private var earliest: [(slot: Int64, time: Timestamp)] = []

    /// - Parameter witnesses: the sightings of all stations that may judge others.
    init(by witnesses: [SlotSighting], _ lags: KnownLags) {
        self.lags = lags
        let trusted = witnesses.filter { lags.isTrusted($0.lag, at: $0.heard) }.sorted { $0.slot > $1.slot }
        for witness in trusted {
            let time = lags.refutation(firstHeard: witness.firstSeen, lag: witness.lag)
            earliest.append((witness.slot, earliest.last.map { min($0.time, time) } ?? time))
        }
        earliest.reverse()
    }

    /// The first time at which a witness of this slot or a later one refutes others, by binary search; nil if there is
    /// no such witness.
    func earliest(fromSlot slot: Int64) -> Timestamp? {
        var (low, high) = (0, earliest.count)
        while low < high {
            let middle = (low + high) / 2
            if earliest[middle].slot < slot { low = middle + 1 } else { high = middle }
        }
        return low < earliest.count ? earliest[low].time : nil
    }
}
