public import RegistryAPI

/// When a finder's message may wake the owner: only while the bike is missing, and then only if the owner has answered
/// the finder, or if it is the first from a sticker in some hours. So a flood of strangers wakes nobody twice in a night.
public enum MessageUrgency {
    /// The time in which only one unanswered conversation about a bike may wake its owner.
    public static let window = Duration.seconds(12 * 3600)

    /// - Parameter lastTold: when the owner was last told of an unanswered conversation about the bike.
    public static func isUrgent(
        isMissing: Bool, origin: ConversationOrigin, isAnswered: Bool, lastTold: Timestamp?, at time: Timestamp
    ) -> Bool {
        guard isMissing else { return false }
        if isAnswered { return true }
        guard origin == .sticker else { return false }
        return lastTold.map { $0.advanced(by: window) <= time || $0 > time } ?? true
    }
}
