public import Beacons

/// Matches received identities against the missing list, and caches recent results.
///
/// Beacons repeat themselves several times a second, and a hash costs more than the rest of the look-up.
public struct MissingMatcher: Sendable {
    /// The cached result for an identity; empty slots are not known.
    private struct Answer {
        var uuid = ProximityUUID(high: 0, low: 0)
        /// The major and the minor.
        var number: UInt32 = 0
        var isKnown = false
        var isMissing = false
    }

    /// The number of cached results, 96 kB: more than the beacons heard in one place, but small enough for a
    /// processor's cache.
    private static let capacity = 4096

    /// The cached results. Each identity has one slot, which another identity can take over.
    private var answers = [Answer](repeating: Answer(), count: capacity)
    /// The version of the list that the results are for.
    private var version = MissingIdentities.empty.version

    public init() {}

    /// Whether the identity may be on the list.
    public mutating func matches(_ identity: BeaconIdentity, on list: MissingIdentities) -> Bool {
        if version != list.version {
            answers = [Answer](repeating: Answer(), count: Self.capacity)
            version = list.version
        }
        let number = UInt32(identity.major) << 16 | UInt32(identity.minor)
        let slot = Self.slot(of: identity.uuid, number)
        let answer = answers[slot]
        if answer.number == number, answer.uuid == identity.uuid, answer.isKnown { return answer.isMissing }
        let isMissing = list.contains(identity)
        answers[slot] = Answer(uuid: identity.uuid, number: number, isKnown: true, isMissing: isMissing)
        return isMissing
    }

    /// The slot of an identity, 0…4095. Multiplication by 2^64 divided by the golden ratio spreads similar identities
    /// over all slots (Fibonacci hashing); its highest 12 bits are the slot.
    private static func slot(of uuid: ProximityUUID, _ number: UInt32) -> Int {
        let mixed = (uuid.high ^ uuid.low &* 3 ^ UInt64(number)) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 52)
    }
}
