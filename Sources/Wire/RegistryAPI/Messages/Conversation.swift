import Syntax

/// Messages between somebody who found a bike and its owner. Neither learns the other's name or address.
public struct Conversation: Codable, Hashable, Sendable {
    public var id: ConversationID
    /// How the finder named the bike.
    public var origin: ConversationOrigin
    public var began: Timestamp
    /// The messages in their order; in a list only the latest one.
    public var messages: [ConversationMessage]
    /// The photos that the finder added, in their order; absent if there are none.
    public var photos: [ConversationPhoto]?
    /// The number of all messages.
    public var count: Int
    /// Whether the finder wrote the latest message and the conversation is open.
    public var waiting: Bool
    /// When it ended; absent while both can write.
    public var closed: Timestamp?
    /// Who ended it; absent if it is open, or if it ended after ``MessageRules/idle`` without a message.
    public var closedBy: ConversationSide?
    /// Whether the owner has blocked the finder.
    public var blocked: Bool
    /// When the side that reads this reported it to the operator, who can then read it; for the operator, when it was
    /// first reported. Neither side learns whether the other has reported it.
    public var reported: Timestamp?
    /// When it will be deleted; absent while it is open.
    public var deleted: Timestamp?

    public init(
        id: ConversationID, origin: ConversationOrigin, began: Timestamp, messages: [ConversationMessage],
        photos: [ConversationPhoto]? = nil, count: Int? = nil, waiting: Bool, closed: Timestamp? = nil,
        closedBy: ConversationSide? = nil,
        blocked: Bool = false, reported: Timestamp? = nil
    ) {
        self.id = id
        self.origin = origin
        self.began = began
        self.messages = messages
        self.photos = photos
        self.count = count ?? messages.count
        self.waiting = waiting
        self.closed = closed
        self.closedBy = closedBy
        self.blocked = blocked
        self.reported = reported
        deleted = closed?.advanced(by: MessageRules.kept)
    }
}

/// How a finder named a bike.
public enum ConversationOrigin: String, Codable, CaseIterable, Hashable, Sendable {
    /// By the code on its sticker.
    case sticker
    /// By the identity that its beacon sends, which anyone nearby can receive.
    case beacon
    /// By its serial number or VIN, which somebody checked before buying.
    case number
    /// By a link to its search.
    case share
}

/// One of the two sides of a conversation. Members who answer write as the owner.
public enum ConversationSide: String, Codable, CaseIterable, Hashable, Sendable {
    case finder, owner
}

/// One message of a conversation.
public struct ConversationMessage: Codable, Hashable, Sendable {
    public var from: ConversationSide
    public var time: Timestamp
    /// Plain text, 1–500 characters, with line breaks.
    public var text: String

    public init(from: ConversationSide, time: Timestamp, text: String) {
        self.from = from
        self.time = time
        self.text = text
    }
}

/// Body of `POST /v1/bikes/{bike}/conversations/{conversation}/answers`.
public struct MessageDraft: Codable, Hashable, Sendable {
    public var text: String

    public init(text: String) { self.text = text }
}

/// Body of `PUT /v1/bikes/{bike}/conversations/{conversation}/closure`.
public struct ConversationClosure: Codable, Hashable, Sendable {
    /// Whether to block the finder; without it, the conversation only ends. A block is not undone by a later call.
    public var blocked: Bool
    /// What the operator should know, 1–500 characters; absent to report nothing.
    public var report: String?

    public init(blocked: Bool = false, report: String? = nil) {
        self.blocked = blocked
        self.report = report
    }
}

/// A conversation that one side has reported, for the operator.
public struct ReportedConversation: Codable, Hashable, Sendable {
    public var conversation: Conversation
    public var bike: BikeID
    public var owner: OwnerID
    public var reportedBy: ConversationSide
    /// What the reporter wrote about it; finders write nothing.
    public var reason: String?

    public init(
        conversation: Conversation, bike: BikeID, owner: OwnerID, reportedBy: ConversationSide, reason: String?
    ) {
        self.conversation = conversation
        self.bike = bike
        self.owner = owner
        self.reportedBy = reportedBy
        self.reason = reason
    }
}

extension MessageDraft: WireObject {
    public static let blank = MessageDraft(text: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("text", &text, Self.rule) }

    private static let rule = TextRule.text(MessageRules.length, multiline: true)

    /// A message as a form sends it, whose line breaks are CR LF; nil if the API would refuse it.
    public init?(form text: String) {
        let text = text.replacing(text: "\r\n", with: "\n")
        guard Self.rule.flaw(in: text) == nil else { return nil }
        self.text = text
    }
}

extension ConversationClosure: WireObject {
    public static let blank = ConversationClosure()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.defaulted("blocked", &blocked, .boolean)
        fields.optional("report", &report, .text(MessageRules.length, multiline: true))
    }
}

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

/// A photo that a finder added to a conversation. The owner sees it only after a tap, because it is unchecked.
public struct ConversationPhoto: Codable, Hashable, Sendable {
    public var id: PhotoID
    public var time: Timestamp
    /// The size of the large picture in pixels.
    public var width: Int
    public var height: Int

    public init(_ photo: Photo) {
        id = photo.id
        time = photo.created
        width = photo.width
        height = photo.height
    }
}
