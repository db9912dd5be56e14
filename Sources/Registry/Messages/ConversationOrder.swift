public import RegistryAPI

/// What the order of a bike's conversations depends on.
public struct ConversationRank: Hashable, Sendable {
    public var key: Int64
    public var origin: ConversationOrigin
    /// The wider network of the finder, as a number that is valid for one day (``FinderNetwork``).
    public var area: Int64
    public var isAnswered: Bool
    public var isClosed: Bool
    /// The time of the latest message.
    public var changed: Timestamp

    public init(
        key: Int64, origin: ConversationOrigin, area: Int64, isAnswered: Bool, isClosed: Bool, changed: Timestamp
    ) {
        self.key = key
        self.origin = origin
        self.area = area
        self.isAnswered = isAnswered
        self.isClosed = isClosed
        self.changed = changed
    }
}

extension [ConversationRank] {
    /// The order in which an owner sees conversations: those that the owner has answered, then the first of each wider
    /// network, then the second of each, and so on. So many conversations from a few networks do not hide one from
    /// another. Within each of these groups, stickers come first, then numbers, then beacons, and of these the latest first. Ended ones are last.
    public var ordered: [ConversationRank] {
        var counts: [Int64: Int] = [:]
        let ranked = sorted { $0.key < $1.key }.map { item in
            guard !item.isClosed else { return (rank: Int.max, item: item) }
            guard !item.isAnswered else { return (rank: 0, item: item) }
            counts[item.area, default: 0] += 1
            return (rank: counts[item.area, default: 1], item: item)
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
    /// Whoever has read the sticker was at the bike; a number may come from an advertisement, and a beacon from anywhere.
    fileprivate static func < (left: ConversationOrigin, right: ConversationOrigin) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .sticker: 0
        case .number: 1
        case .beacon: 2
        }
    }
}
