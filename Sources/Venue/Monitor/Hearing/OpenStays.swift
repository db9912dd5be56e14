import Beacons
import RegistryAPI

/// Stays that may continue although their visits have ended. If the bike is heard again in time, the stay continues in
/// a new visit, and its owner is not alerted a second time.
///
/// Bounded by two generations: when one is full, it replaces the previous one, so that each step costs O(1).
struct OpenStays: Sendable {
    private typealias Generation = [BeaconIdentity: (stay: StayID, end: ScanInstant)]

    /// The maximum number of stays in a generation.
    private static let generation = 4096
    private var newer: Generation = [:]
    private var older: Generation = [:]

    /// Keeps a stay until the given time.
    mutating func keep(_ stay: StayID, of identity: BeaconIdentity, until end: ScanInstant) {
        if newer.count >= Self.generation {
            older = newer
            newer = [:]
        }
        newer[identity] = (stay, end)
    }

    /// The stay that continues when a beacon is heard at this time; each stay is returned at most once.
    mutating func take(_ identity: BeaconIdentity, at instant: ScanInstant) -> StayID? {
        let older = older.removeValue(forKey: identity)
        guard let found = newer.removeValue(forKey: identity) ?? older, instant <= found.end else { return nil }
        return found.stay
    }
}
