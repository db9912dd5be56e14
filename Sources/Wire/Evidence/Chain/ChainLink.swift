/// One entry's place in the chain, without its content.
public struct ChainLink: Hashable, Sendable {
    /// The index of the entry, from 1.
    public var index: Int64
    /// The commitment to the entry's content (``AuditChain/commitment(to:salt:)``).
    public var commitment: HashValue
    /// The chain hash of the previous entry.
    public var previous: HashValue
    /// The chain hash of the entry that ``AuditChain/shortcut(from:)`` names.
    public var shortcut: HashValue

    public init(index: Int64, commitment: HashValue, previous: HashValue, shortcut: HashValue) {
        self.index = index
        self.commitment = commitment
        self.previous = previous
        self.shortcut = shortcut
    }

    /// The chain hash of the entry itself.
    public var hash: HashValue {
        AuditChain.hash(index: index, previous: previous, shortcut: shortcut, commitment: commitment)
    }

    /// The chain hash of an earlier entry, if this link covers it; otherwise nil.
    func hash(at earlier: Int64) -> HashValue? {
        if earlier == index - 1 { return previous }
        return earlier == AuditChain.shortcut(from: index) ? shortcut : nil
    }
}
