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
