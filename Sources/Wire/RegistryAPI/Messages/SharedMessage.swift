/// Body of `POST /v1/share/messages`: what somebody who follows a search writes to the bike's owner.
public struct SharedMessage: Codable, Hashable, Sendable {
    /// Plain text, 1–500 characters, with line breaks.
    public var text: String
    /// 32 random bytes, the secret of the conversation, so that a message that is sent twice begins only one
    /// conversation.
    public var key: Base64URL

    public init(text: String, key: Base64URL) {
        self.text = text
        self.key = key
    }
}

/// Response to `POST /v1/share/messages`.
public struct SharedConversation: Codable, Hashable, Sendable {
    /// The path of the conversation's page, where answers appear.
    public var page: String

    public init(page: String) { self.page = page }
}

extension SharedMessage: WireObject {
    public static let blank = SharedMessage(text: "", key: Base64URL([]))

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("text", &text, .text(MessageRules.length, multiline: true))
        fields.required("key", &key, .base64(32...32))
    }
}
