/// Response to `GET /messages/{secret}/news`: what the page of a finder's conversation shows.
public struct ConversationNews: Codable, Hashable, Sendable {
    /// All messages in their order.
    public var messages: [ConversationMessage]
    /// The photos that the finder added; absent if there are none.
    public var photos: [ConversationPhoto]?
    /// Whether the finder can write now.
    public var writable: Bool

    public init(messages: [ConversationMessage], photos: [ConversationPhoto]? = nil, writable: Bool) {
        self.messages = messages
        self.photos = photos
        self.writable = writable
    }
}
