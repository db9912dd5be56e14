public import RegistryAPI

/// Finds: strangers' reports of beacons that they have heard.
public protocol FindStore: Sendable {
    /// Stores a find for later processing, which takes the same time whether or not the beacon belongs to a bike.
    ///
    /// - Parameter sender: the pseudonym of its sender (``FindSenders``); nil if it is unknown.
    func addFind(_ find: Find, from sender: Int64?, at time: Timestamp) async throws

    /// Adds the oldest finds to their bikes' histories and notifies the holders, and deletes finds of beacons that
    /// nobody has. Beyond a ``NoticeRate``, finds are announced together.
    ///
    /// - Returns: the number of finds that were processed; fewer than the limit if none is left.
    func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int
}

/// The rules for storing finds.
public enum FindRules {
    /// The maximum number of finds in a bike's history. Beyond it, the newest find of the sender with the most finds of
    /// one day is deleted. So a flood thins itself out, and finds from other networks stay, whether before, during or
    /// after it.
    public static let most = 1000
    /// The maximum number of finds of a bike in 24 hours that get an entry in the audit, which keeps entries
    /// permanently.
    public static let recordedPerDay = 50
}
