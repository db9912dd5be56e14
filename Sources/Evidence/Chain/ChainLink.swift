/// One entry's place in the chain, without its content.
public struct ChainLink: Hashable, Sendable {
    /// From 1.
    public var index: Int64
    public var commitment: HashValue
    /// The chain hash of the entry before.
    public var previous: HashValue
    /// The chain hash of the entry that ``AuditChain/shortcut(from:)`` names.
    public var shortcut: HashValue

    public init(index: Int64, commitment: HashValue, previous: HashValue, shortcut: HashValue) {
        self.index = index
        self.commitment = commitment
        self.previous = previous
        self.shortcut = shortcut
    }

    /// The entry's own chain hash.
    public var hash: HashValue {
        AuditChain.hash(index: index, previous: previous, shortcut: shortcut, commitment: commitment)
    }

    /// The chain hash that this link covers at an earlier index; nil where it covers none.
    func hash(at earlier: Int64) -> HashValue? {
        if earlier == index - 1 { return previous }
        return earlier == AuditChain.shortcut(from: index) ? shortcut : nil
    }
}
