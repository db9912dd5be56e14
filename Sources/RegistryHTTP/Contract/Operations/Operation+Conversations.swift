import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    /// Stickers, and conversations with finders.
    static var conversations: [Operation] {
        let path = ConversationRoutes.path
        return [
            Operation(
                .put, ConversationRoutes.sticker, "Make a code for the bike’s sticker",
                """
                Whoever reads the sticker can write to the owner at `link`. `sheet` is a page to print, with QR codes. The code says nothing about the bike. The \
                previous code no longer works, which is told on all channels. Needs the role `manage`.
                """
            )
            .takingNothing
            .giving(.ok, Example.stickerCreated, "The code, which is shown this once.")
            .refusing(DomainError.ownerSuspended, DomainError.tooManyToday(.codes, retryAfter: .seconds(3600)))
            .needing(.manage),
            Operation(.get, ConversationRoutes.sticker, "Show whether the bike has a sticker")
                .giving(.ok, Example.stickerCreated.details, "It has one, made at this time."),
            Operation(
                .delete, ConversationRoutes.sticker, "Revoke the sticker’s code",
                "It is told on all channels. Conversations go on. Needs the role `manage`."
            )
            .giving(.noContent, "The code no longer works.").needing(.manage),
            Operation(
                .get, path, "List a bike’s conversations with finders",
                """
                Each with its latest message. First those that the owner has answered, then the first from each wider \
                network, then the second, and so on; those that have ended come last. Needs the role `report`.
                """
            )
            .listing(Example.conversation, "A page of conversations.").needing(.report),
            Operation(.get, path + "/:conversation", "Show a conversation", "Needs the role `report`.")
                .giving(.ok, Example.conversation, "The conversation with all messages.").needing(.report),
            Operation(
                .post, path + "/:conversation/answers", "Answer a finder",
                """
                The finder sees neither the name nor the role of who answers. Each side can write \
                \(MessageRules.unanswered) messages before the other answers, and \(MessageRules.perDay) a day. Needs the \
                role `report`.
                """
            )
            .taking(MessageDraft.rule(now:), MessageDraft(text: "Thank you! I am on my way.")).once
            .giving(.created, Example.conversation, "The conversation with the answer.")
            .refusing(
                DomainError.message(.ended), DomainError.message(.awaitingAnswer), DomainError.message(.full),
                DomainError.message(.tooManyAnswered), DomainError.message(.tooManyToday(retryAfter: .seconds(3600))),
                DomainError.tooManyToday(.messages, retryAfter: .seconds(3600)),
                DomainError.ownerSuspended
            )
            .needing(.report),
            Operation(
                .put, path + "/:conversation/closure", "End a conversation, and block or report the finder",
                """
                Nobody can write any more. A block counts for the network from which the finder wrote last, if that was \
                today in UTC: it ends the other open conversations from it about this bike, and until the end of the day \
                new ones from it reach nobody, which the finder does not notice. A report lets the operator read the \
                conversation. A conversation that has ended can still be blocked and reported. It is deleted 30 days after \
                its end, but a reported one stays readable for the operator even if the bike is erased. While the bike is \
                missing, the end is told on all channels. Needs the role `report`.
                """
            )
            .taking(ConversationClosure.rule(now:), ConversationClosure(blocked: true), .optional)
            .giving(.ok, Example.conversation, "The conversation as it is now.")
            .refusing(DomainError.message(.tooManyReports)).needing(.report),
            Operation(.get, ConversationRoutes.reported, "List reported conversations", "The earliest first.")
                .listing(Example.reportedConversation, "A page of conversations, with their messages."),
            Operation(
                .delete, ConversationRoutes.reported + "/:conversation", "Settle a reported conversation",
                "It stays with its owner, and is deleted 30 days after its end; at once if the bike is gone."
            )
            .giving(.noContent, "It is no longer listed."),
        ]
    }

    /// The pages for finders.
    static var finders: [Operation] {
        let text = JSONSchema.type("string")
        return [
            Operation(
                .get, FinderRoutes.form, "Show the form for a bike that was found",
                "`code`, or `uuid`, `major` and `minor` in the query fill it in. It is the same for every bike."
            )
            .givingPage(.ok, "A form for people.").asPage,
            Operation(.get, FinderRoutes.form + "/:code", "Show the form for a sticker’s code")
                .with(.stickerCode).givingPage(.ok, "A form for people, the same for every code.").asPage,
            Operation(
                .post, FinderRoutes.form, "Write to the owner of a bike that was found",
                "The response is the same whether or not the code or the beacon belongs to a bike."
            )
            .takingForm(
                "FoundBike",
                ["code": text, "uuid": text, "major": text, "minor": text, "message": text, "key": text],
                required: ["message"]
            )
            .giving(.seeOther, "It is sent; the conversation’s page follows.", [.location])
            .givingPage(.unprocessableContent, "The form, with what is wrong.").asPage,
            Operation(.get, "/messages/:secret", "Show a finder’s conversation").with(.conversationSecret)
                .givingPage(.ok, "The conversation, with a form for the next message.").asPage,
            Operation(
                .post, "/messages/:secret", "Write in a finder’s conversation, or end or report it",
                "`action` is `send`, `end` or `report`."
            )
            .with(.conversationSecret)
            .takingForm("FinderMessage", ["action": text, "message": text], required: [])
            .giving(.seeOther, "It is done; the conversation’s page follows.", [.location])
            .givingPage(.unprocessableContent, "The conversation, with what is wrong.")
            .givingPage(.conflict, "The conversation, with the reason why nothing was written.").asPage,
        ]
    }

    /// Gives errors as pages.
    var asPage: Operation {
        [
            (.badRequest, "The request is unreadable."), (.forbidden, "Another site sent the form."),
            (.notFound, "There is no such conversation."),
            (.requestTimeout, "The form took too long."), (.contentTooLarge, "The form is too large."),
            (.unsupportedMediaType, "The body is no form."), (.tooManyRequests, "Too many requests."),
            (.serviceUnavailable, "The registry cannot do it now."),
        ]
        .filter { status, _ in body != nil || [.notFound, .tooManyRequests, .serviceUnavailable].contains(status) }
        .filter { status, _ in status != .notFound || path.contains(":") }
        .reduce(self) { $0.givingPage($1.0, $1.1) }
    }
}

extension Parameter {
    fileprivate static let stickerCode = Parameter(
        name: "code", place: .path, summary: "The code on the sticker.", schema: .type("string"), isRequired: true)
    fileprivate static let conversationSecret = Parameter(
        name: "secret", place: .path, summary: "The secret of the conversation’s address.", schema: .type("string"),
        isRequired: true)
}

extension Example {
    static let stickerCreated = StickerCreated(
        details: Sticker(created: noon), code: "4FQK-M2XP-V9TD",
        link: "https://registry.example.org/found/4FQK-M2XP-V9TD", sheet: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
    static let conversation = Conversation(
        id: id(16), origin: .sticker, began: noon,
        messages: [ConversationMessage(from: .finder, time: noon, text: "It stands behind the station.")],
        waiting: true)
    static let reportedConversation = ReportedConversation(
        conversation: Conversation(
            id: id(16), origin: .sticker, began: noon,
            messages: [ConversationMessage(from: .finder, time: noon, text: "Send me money.")], waiting: false,
            closed: evening, closedBy: .owner, blocked: true, reported: evening),
        bike: bike.id, owner: owner.id, reportedBy: .owner, reason: "Wants money")
}
