/// A connection on which groups of changes are committed.
package protocol CommitEngine<EngineTransaction> {
    associatedtype EngineTransaction: Transaction

    /// Runs the body in a transaction, and commits it. If the body or the commit fails, nothing is stored, unless the
    /// error says that the commit is in doubt.
    func commit(_ body: (EngineTransaction) throws -> Void) throws

    /// Whether the transaction failed only because of another one, so that repeating it may succeed.
    func isCollision(_ error: any Error) -> Bool
}
