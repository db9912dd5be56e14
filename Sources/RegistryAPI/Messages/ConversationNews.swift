/// Response to `GET /messages/{secret}/news`: what the page of a finder's conversation shows.
public struct ConversationNews: Codable, Hashable, Sendable {
    /// All messages in their order.
    public var messages: [ConversationMessage]
    /// Whether the finder can write now.
    public var writable: Bool

    public init(messages: [ConversationMessage], writable: Bool) {
        self.messages = messages
        self.writable = writable
    }
}
