import RegistryAPI

// What the slots of a rotating beacon say about a sighting: pure functions of all sightings of the report, and of the
// beacon's last check.
extension SightingEvidence {
    /// What it says about the clock of a rotating beacon that was heard in a slot.
    public func slotSighting(_ slot: Int64) -> SlotSighting {
        SlotSighting(
            slot: slot, firstSeen: firstSeen, lastSeen: lastSeen, timeUncertain: timeUncertain,
            isUndisputed: isUndisputed)
    }

    /// Whether it has no doubts of its own.
    private var isUndisputed: Bool { bearsWitness && !saysOtherPlace && answer != .absent }
}

extension Plausibility {
    /// The reasons of each sighting that follow from slots. A store looks up what this compares.
    static func slotReasons(of sightings: [SightingEvidence]) -> [Set<SightingReason>] {
        let witnesses = sightings.compactMap { evidence in
            evidence.slot.map { (station: evidence.station, sighting: evidence.slotSighting($0.slot)) }
        }
        .filter(\.sighting.isWitness)
        let proved = KnownLags.proved(by: witnesses)
        return sightings.map { evidence in
            guard let slot = evidence.slot else { return [] }
            let sighting = evidence.slotSighting(slot.slot)
            let lags = KnownLags(slot.clock, proved: proved)
            let later = witnesses.map(\.sighting).filter {
                $0.slot >= sighting.refutedFrom && lags.areTrusted($0.lag, at: $0.heard)
            }
            return sighting.reasons(
                lags, laterHeard: later.map { lags.refutation(firstHeard: $0.firstSeen, lag: $0.lag) }.min())
        }
    }
}
