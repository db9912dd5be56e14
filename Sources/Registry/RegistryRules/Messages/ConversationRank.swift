public import RegistryAPI

/// What the order of a bike's conversations depends on.
public struct ConversationRank: Hashable, Sendable {
    public var key: Int64
    public var origin: ConversationOrigin
    /// The network of the finder and the wider one around it, as numbers that are valid for one day
    /// (``FinderNetwork``).
    public var subscriber: Int64
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
        var ofSubscribers: [Int64: Int] = [:]
        let numbered = sorted { $0.key < $1.key }.map { item in
            if !item.isClosed && !item.isAnswered { ofSubscribers[item.subscriber, default: 0] += 1 }
            return (number: ofSubscribers[item.subscriber, default: 0], item: item)
        }
        var ofAreas: [Int64: Int] = [:]
        let ranked = numbered.sorted { ($0.number, $0.item.key) < ($1.number, $1.item.key) }.map { _, item in
            guard !item.isClosed else { return (rank: Int.max, item: item) }
            guard !item.isAnswered else { return (rank: 0, item: item) }
            ofAreas[item.area, default: 0] += 1
            return (rank: ofAreas[item.area, default: 1], item: item)
        }
        return ranked.sorted { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            if left.item.origin != right.item.origin, left.rank != .max { return left.item.origin < right.item.origin }
            if left.item.changed != right.item.changed { return left.item.changed > right.item.changed }
            return left.item.key > right.item.key
        }.map(\.item)
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
