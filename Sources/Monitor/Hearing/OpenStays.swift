import Beacons
import RegistryAPI

/// Stays that may go on although their visits have ended: a bike that is heard again in time goes on with its stay, in a
/// visit of its own, and its owner is not told a second time.
///
/// Bounded in two generations: a full one pushes out the one before it, so that each step costs O(1).
struct OpenStays: Sendable {
    private typealias Generation = [BeaconIdentity: (stay: StayID, end: ScanInstant)]

    private static let generation = 4096
    private var newer: Generation = [:]
    private var older: Generation = [:]

    /// Keeps a stay until a time.
    mutating func keep(_ stay: StayID, of identity: BeaconIdentity, until end: ScanInstant) {
        if newer.count >= Self.generation {
            older = newer
            newer = [:]
        }
        newer[identity] = (stay, end)
    }

    /// The stay that a beacon heard at a time goes on with; at most once.
    mutating func take(_ identity: BeaconIdentity, at instant: ScanInstant) -> StayID? {
        let older = older.removeValue(forKey: identity)
        guard let found = newer.removeValue(forKey: identity) ?? older, instant <= found.end else { return nil }
        return found.stay
    }
}
