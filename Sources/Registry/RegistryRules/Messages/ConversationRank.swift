public import RegistryAPI

/// A conversation about a bike, with what its place in the order depends on.
public struct ConversationRank: Hashable, Sendable {
    /// The key in the store; a later conversation has a greater one.
    public var key: Int64
    public var origin: ConversationOrigin
    /// The network of the finder, as a number that is valid for one day (``FinderNetwork/subscriber``).
    public var subscriber: Int64
    /// The wider network around it (``FinderNetwork/area``).
    public var area: Int64
    public var isAnswered: Bool
    public var isClosed: Bool
    /// The time of the latest message.
    public var changed: Timestamp

    public init(
        key: Int64, origin: ConversationOrigin, subscriber: Int64, area: Int64, isAnswered: Bool, isClosed: Bool,
        changed: Timestamp
    ) {
        self.key = key
        self.origin = origin
        self.subscriber = subscriber
        self.area = area
        self.isAnswered = isAnswered
        self.isClosed = isClosed
        self.changed = changed
    }
}

extension [ConversationRank] {
    /// The order in which an owner sees conversations: those that the owner has answered, then the first of each wider
    /// network, then the second of each, and so on. Within a wider network, the first of each subscriber counts before
    /// the second of any. So many conversations from a few networks do not hide one from another. Within each of these
    /// groups, stickers come first, then shares, numbers and beacons; within each of these kinds, the latest comes
    /// first. Ended conversations are last.
    public var ordered: [ConversationRank] {
        inTurnOfAreas().sorted { left, right in
            let (first, second) = (left.conversation, right.conversation)
            if left.turn != right.turn { return left.turn < right.turn }
            if first.origin != second.origin, !first.isClosed { return first.origin < second.origin }
            if first.changed != second.changed { return first.changed > second.changed }
            return first.key > second.key
        }
        .map(\.conversation)
    }

    /// The turn of each conversation: 0 if it was answered, 1 for the first of its wider network, 2 for the second, and
    /// so on; the greatest number if it has ended.
    private func inTurnOfAreas() -> [(turn: Int, conversation: ConversationRank)] {
        let bySubscribers = inTurnOfSubscribers().sorted { left, right in
            (left.turn, left.conversation.key) < (right.turn, right.conversation.key)
        }
        var turns: [Int64: Int] = [:]
        return bySubscribers.map { _, conversation in
            if conversation.isClosed { return (Int.max, conversation) }
            if conversation.isAnswered { return (0, conversation) }
            let turn = turns[conversation.area, default: 0] + 1
            turns[conversation.area] = turn
            return (turn, conversation)
        }
    }

    /// The same for subscribers. A conversation that was answered or has ended takes no turn.
    private func inTurnOfSubscribers() -> [(turn: Int, conversation: ConversationRank)] {
        var turns: [Int64: Int] = [:]
        return sorted { $0.key < $1.key }.map { conversation in
            var turn = turns[conversation.subscriber, default: 0]
            if !conversation.isClosed && !conversation.isAnswered { turn += 1 }
            turns[conversation.subscriber] = turn
            return (turn, conversation)
        }
    }
}

extension ConversationOrigin {
    /// The reader of a sticker was at the bike, and the owner sent the link to a search. A number may come from an
    /// advertisement, and a beacon's identity from anywhere.
    fileprivate static func < (left: ConversationOrigin, right: ConversationOrigin) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .sticker: 0
        case .share: 1
        case .number: 2
        case .beacon: 3
        }
    }
}
