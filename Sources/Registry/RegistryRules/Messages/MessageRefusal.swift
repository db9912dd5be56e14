public import RegistryAPI

/// The reason why a message is not accepted.
public enum MessageRefusal: Hashable, Sendable {
    /// The conversation has ended.
    case ended
    /// One side has written ``MessageRules/unanswered`` messages since the other wrote.
    case awaitingAnswer
    /// One side has written ``MessageRules/perDay`` messages in the last 24 hours.
    case tooManyToday(retryAfter: Duration)
    /// The conversation has ``MessageRules/mostMessages`` messages.
    case full
    /// Finders in this network have begun ``MessageRules/perNetwork`` conversations about this code or beacon in a day.
    case tooManyConversations
    /// The bike has ``MessageRules/mostAnswered`` open conversations that its owner has answered, or the account has
    /// ``MessageRules/mostAnsweredOfAccount``.
    case tooManyAnswered
    /// The operator has ``MessageRules/mostReports`` reports by this side about the same account.
    case tooManyReports
    /// The conversation has ``MessageRules/photos`` photos, or finders in this network have added
    /// ``MessageRules/photosPerNetwork`` in a day, or the registry has no room for more from this network.
    case tooManyPhotos
}

extension Conversation {
    /// Why a side cannot write now; nil if it can. All messages must be present.
    public func refusal(of side: ConversationSide, at time: Timestamp) -> MessageRefusal? {
        guard closed == nil else { return .ended }
        guard messages.count < MessageRules.mostMessages else { return .full }
        let unanswered = messages.reversed().prefix { $0.from == side }
        guard unanswered.count < MessageRules.unanswered else { return .awaitingAnswer }
        let day = AttemptLimit(attempts: MessageRules.perDay, window: .days(1))
        let begin = time.advanced(by: .zero - day.window)
        let recent = messages.filter { $0.from == side && $0.time > begin }.map(\.time)
        return day.wait(earlier: recent, now: time).map(MessageRefusal.tooManyToday)
    }
}
