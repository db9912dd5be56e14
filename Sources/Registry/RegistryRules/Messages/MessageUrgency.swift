public import RegistryAPI

/// When a finder's message may wake the owner: only while the bike is missing, and then only if the owner has answered
/// the finder, or if it is the first from a sticker in some hours. So a flood of strangers' messages does not wake the
/// owner twice in a night.
public enum MessageUrgency {
    /// The time in which only one finder whom the owner has not answered may wake the owner about a bike.
    public static let window = Duration.seconds(12 * 3600)

    /// - Parameter lastAlarm: when such a finder last woke the owner, by night and since the bike has been missing.
    public static func isUrgent(
        isMissing: Bool, origin: ConversationOrigin, isAnswered: Bool, lastAlarm: Timestamp?, at time: Timestamp
    ) -> Bool {
        guard isMissing else { return false }
        if isAnswered { return true }
        guard origin == .sticker else { return false }
        return lastAlarm.map { $0.advanced(by: window) <= time || $0 > time } ?? true
    }
}
