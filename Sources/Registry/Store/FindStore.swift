public import RegistryAPI

/// What strangers tell of beacons that they hear.
public protocol FindStore: Sendable {
    /// Keeps a find to be looked at later: this takes as long for a beacon that nobody has as for one of a bike.
    func addFind(_ find: Find, at time: Timestamp) async throws

    /// Tells the holders of the oldest finds on all channels, and forgets finds of beacons that nobody has. Of one bike at
    /// most ``FindRules/perDay`` finds a day are told.
    ///
    /// - Returns: how many finds were looked at; fewer than the limit where none is left.
    func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int
}

/// How finds are told.
public enum FindRules {
    /// How many finds of one bike its holder is told of in 24 hours: anyone can send them.
    public static let perDay = 10
}
