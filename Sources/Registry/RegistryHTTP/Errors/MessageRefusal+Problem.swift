import HTTPTypes
import RegistryAPI
import RegistryRules

extension MessageRefusal {
    var problem: Problem {
        switch self {
        case .ended:
            Problem(
                .conflict, "conversation-ended", "The conversation has ended",
                "This conversation has ended: nobody can write in it any longer.")
        case .awaitingAnswer:
            Problem(
                .conflict, "answer-awaited", "The other side must write first",
                "At most \(MessageRules.unanswered) messages can be written before the other side answers.")
        case .tooManyToday(let wait):
            Problem(
                .tooManyRequests, "too-many-messages-today", "Too many messages in a day",
                "Wait \(wait.rounded(upTo: 3600)) hours: \(MessageRules.perDay) messages a day can be written.",
                [.retryAfter: "\(wait.rounded(upTo: 1))"])
        case .full:
            Problem(
                .conflict, "conversation-full", "The conversation is full",
                "It has \(MessageRules.mostMessages) messages. Agree on another way to talk.")
        case .tooManyConversations:
            Problem(
                .tooManyRequests, "too-many-conversations", "Too many conversations in a day",
                "From one network, at most \(MessageRules.perNetwork) conversations about a bike can be begun in a day.",
                [.retryAfter: "86400"])
        case .tooManyAnswered:
            Problem(
                .conflict, "too-many-answered", "Too many conversations at a time",
                "A bike has at most \(MessageRules.mostAnswered) open conversations that were answered, and an account \(MessageRules.mostAnsweredOfAccount). End one first."
            )
        case .tooManyPhotos:
            Problem(
                .conflict, "too-many-finder-photos", "Too many photos",
                "A conversation has at most \(MessageRules.photos) photos, and \(MessageRules.photosPerNetwork) a day can be added from one network."
            )
        case .tooManyReports:
            Problem(
                .conflict, "too-many-reports", "The operator has many of your reports",
                "\(MessageRules.mostReports) of your reports wait for the registry’s operator. Try again later, or end the conversation without a report."
            )
        }
    }
}
