import RegistryAPI
import RegistryRules

// Stickers, and conversations with finders.
extension Example {
    static let stickerCreated = StickerCreated(
        details: Sticker(created: noon), code: "4FQK-M2XP-V9TD",
        link: "https://registry.example.org/found/4FQK-M2XP-V9TD", sheet: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
    static let conversation = Conversation(
        id: id(16), origin: .sticker, began: noon,
        messages: [ConversationMessage(from: .finder, time: noon, text: "It stands behind the station.")],
        waiting: true)
    static let conversationPhoto = ConversationPhoto(photo)
    static let conversationNews = ConversationNews(messages: conversation.messages, writable: true)
    static let reportedConversation = ReportedConversation(
        conversation: Conversation(
            id: id(16), origin: .sticker, began: noon,
            messages: [ConversationMessage(from: .finder, time: noon, text: "Send me money.")], waiting: false,
            closed: evening, closedBy: .owner, blocked: true, reported: evening),
        bike: bike.id, owner: owner.id, reportedBy: .owner, reason: "Wants money")
}
