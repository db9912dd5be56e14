public import RegistryAPI

/// The number of items of a list to return, and the item to start after.
public struct PageRequest<Cursor: Sendable>: Sendable {
    public let after: Cursor?
    /// The maximum number of items, at least 1.
    public let limit: Int

    public init(after: Cursor? = nil, limit: Int) {
        self.after = after
        self.limit = max(1, limit)
    }
}

/// A part of a list, and the start of the next part.
public struct StoredPage<Item: Sendable, Cursor: Sendable>: Sendable {
    public let items: [Item]
    /// The cursor of the next page; nil on the last page.
    public let next: Cursor?

    public init(items: [Item], next: Cursor?) {
        self.items = items
        self.next = next
    }
}

/// The end of a page of owners, who are listed by their number of unconfirmed reports, highest first.
public struct OwnerCursor: Hashable, Sendable {
    public var unconfirmed: Int64
    public var owner: OwnerID

    public init(unconfirmed: Int64, owner: OwnerID) {
        self.unconfirmed = unconfirmed
        self.owner = owner
    }
}
