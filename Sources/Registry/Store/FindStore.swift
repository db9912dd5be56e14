public import RegistryAPI

/// What strangers tell of beacons that they hear.
public protocol FindStore: Sendable {
    /// Keeps a find to be looked at later: this takes as long for a beacon that nobody has as for one of a bike.
    ///
    /// - Parameter sender: whose it is, without saying who that is (``FindSenders``); nil where nothing tells.
    func addFind(_ find: Find, from sender: Int64?, at time: Timestamp) async throws

    /// Puts the oldest finds into their bikes' histories and tells the holders, and forgets finds of beacons that nobody has.
    /// Beyond a ``NoticeRate`` they are told together.
    ///
    /// - Returns: how many finds were looked at; fewer than the limit where none is left.
    func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int
}

/// How finds are kept.
public enum FindRules {
    /// How many finds a bike's history holds. Beyond it the newest goes of the sender that has the most of one day: a flood
    /// thins out itself, and what another network sent stays, before, amid and after it.
    public static let most = 1000
}
