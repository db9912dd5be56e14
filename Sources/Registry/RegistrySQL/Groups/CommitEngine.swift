/// A connection on which groups of changes are committed.
package protocol CommitEngine<EngineTransaction> {
    associatedtype EngineTransaction: GroupTransaction

    /// Runs the body in a transaction, and commits it. If the body or the commit fails, nothing is stored, unless the
    /// error says that the commit is in doubt.
    func commit(_ body: (EngineTransaction) throws -> Void) throws

    /// Whether the transaction failed only because of another one, so that repeating it may succeed.
    func isCollision(_ error: any Error) -> Bool
}

/// A transaction that several changes share.
package protocol GroupTransaction: Transaction, SendableMetatype {
    /// A number that differs from an earlier one if anything since then must be undone when a change fails.
    var undoMark: Int { get }

    /// Whether the whole transaction is lost, so that not even rolling back to a savepoint helps.
    var isLost: Bool { get }
}
