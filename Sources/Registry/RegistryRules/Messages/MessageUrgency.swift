public import RegistryAPI

/// When a finder's message may wake the owner: only while the bike is missing, and then only if the owner has answered
/// the finder, or if it is the first from a sticker in some hours. So a flood of strangers' messages does not wake the
/// owner twice in a night.
public enum MessageUrgency {
    /// The time in which only one finder whom the owner has not answered may wake the owner about a bike.
    public static let window = Duration.seconds(12 * 3600)

    /// Whether a message may wake the owner.
    ///
    /// - Parameters:
    ///   - isAnswered: whether the owner has answered the finder.
    ///   - lastAlarm: when a finder whom the owner had not answered last woke the owner, by night and since the bike
    ///     has been missing.
    public static func isUrgent(
        isMissing: Bool, origin: ConversationOrigin, isAnswered: Bool, lastAlarm: Timestamp?, at time: Timestamp
    ) -> Bool {
        guard isMissing else { return false }
        if isAnswered { return true }
        guard origin == .sticker else { return false }
        guard let lastAlarm else { return true }
        // A clock that was set back must not silence messages.
        return lastAlarm.advanced(by: window) <= time || lastAlarm > time
    }
}
