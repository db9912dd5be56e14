import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import StickerSheets

/// The calls of owners for stickers and for conversations with finders, and of operators for those that were reported.
struct ConversationCalls {
    let operations: RegistryOperations
    let store: any RegistryStore

    func add(to calls: Calls<OwnerContext>) {
        addStickers(to: calls)
        addConversations(to: calls)
    }

    private func addStickers(to calls: Calls<OwnerContext>) {
        let path = "/v1/bikes/:bike/sticker"
        // A thief with the unlocked phone must not make the sticker's code invalid, so this needs the scope `manage`.
        calls.put(
            path, .manage, "Make a code for the bike’s sticker",
            """
            Whoever reads the sticker can write to the owner at `link`. `sheet` is a page to print, with QR codes. The code says nothing about the bike. The \
            previous code no longer works, which is announced on all channels. Needs the role `manage`.
            """
        )
        .takingNothing.needing(.manage).refusing(.ownerSuspended).daily(.codes)
        .answering(Example.stickerCreated, "The code, which is shown this once.") { request in
            var created = try await operations.setSticker(
                on: try request.id("bike"), by: request.act(operations))
            created.sheet = created.link.flatMap { StickerSheet(code: created.code, link: $0)?.svg }
            return created
        }

        calls.get(path, .read, "Show whether the bike has a sticker")
            .answering(Example.stickerCreated.details, "It has one, made at this time.") { request in
                try await store.sticker(of: try request.id("bike"), by: request.owner)
            }

        calls.delete(
            path, .manage, "Revoke the sticker’s code",
            "This is announced on all channels. Conversations go on. Needs the role `manage`."
        )
        .needing(.manage)
        .done("The code no longer works.") { request in
            try await operations.store.revokeSticker(of: try request.id("bike"), by: request.act(operations))
        }
    }

    private func addConversations(to calls: Calls<OwnerContext>) {
        let path = "/v1/bikes/:bike/conversations"
        calls.get(
            path, .read, "List a bike’s conversations with finders",
            """
            Each with its latest message. First those that the owner has answered, then the first from each wider \
            network, then the second, and so on; those that have ended come last. Needs the role `report`.
            """
        )
        .needing(.report)
        .listing(Example.conversation, "A page of conversations.") { request, page in
            try await store.conversations(of: try request.id("bike"), by: request.owner, page)
        }

        calls.get(path + "/:conversation", .read, "Show a conversation", "Needs the role `report`.")
            .needing(.report)
            .answering(Example.conversation, "The conversation with all messages.") { request in
                try await store.conversation(
                    try request.id("conversation"), of: try request.id("bike"), by: request.owner)
            }

        calls.post(
            path + "/:conversation/answers", .report, "Answer a finder",
            """
            The finder sees neither the name nor the role of who answers. Each side can write \
            \(MessageRules.unanswered) messages before the other answers, and \(MessageRules.perDay) a day. Needs the \
            role `report`.
            """
        )
        .taking(MessageDraft(text: "Thank you! I am on my way.")).once.needing(.report)
        .refusing(.message(.ended), .message(.awaitingAnswer), .message(.full), .message(.tooManyAnswered))
        .refusing(.message(.tooManyToday(retryAfter: .seconds(3600))), .ownerSuspended).daily(.messages)
        .answering(Example.conversation, "The conversation with the answer.", status: .created) { request in
            try await store.answer(
                request.body.text, in: try request.id("conversation"), of: try request.id("bike"),
                by: request.act(operations), once: request.once)
        }

        calls.put(
            path + "/:conversation/closure", .report, "End a conversation, and block or report the finder",
            """
            Nobody can write any longer. A block counts for the network from which the finder wrote last, if that was \
            today in UTC: it ends the other open conversations from it about this bike, and until the end of the day \
            new ones from it reach nobody, which the finder does not notice. A report lets the operator read the \
            conversation. A conversation that has ended can still be blocked and reported. It is deleted 30 days after \
            its end, but a reported one stays readable for the operator even if the bike is erased. While the bike is \
            missing, the end is announced on all channels. Needs the role `report`.
            """
        )
        .taking(ConversationClosure(blocked: true), .optional).needing(.report).refusing(.message(.tooManyReports))
        .answering(Example.conversation, "The conversation as it is now.") { request in
            try await operations.store.closeConversation(
                try request.id("conversation"), of: try request.id("bike"), request.body, by: request.act(operations))
        }
    }

    func add(to calls: Calls<OperatorContext>) {
        let path = "/v1/reported-conversations"
        calls.get(path, "List reported conversations", "The earliest first.")
            .listing(Example.reportedConversation, "A page of conversations, with their messages.") { _, page in
                try await store.reportedConversations(page)
            }

        calls.delete(
            path + "/:conversation", "Settle a reported conversation",
            "It stays with its owner, and is deleted 30 days after its end; immediately if the bike is deleted."
        )
        .done("It is no longer listed.") { request in
            try await operations.settleConversation(try request.id("conversation"), by: request.operator)
        }
    }
}
