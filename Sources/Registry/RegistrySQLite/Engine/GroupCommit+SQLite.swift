import Dispatch
import GRDB
import RegistryRules
import RegistrySQL

extension GroupCommit<SQLiteTransaction> {
    /// Commits on the pool's writing connection.
    convenience init(
        pool: DatabasePool, transactions: PooledTransactions, limits: GroupLimits = GroupLimits(),
        finish: @escaping @Sendable (SQLiteTransaction) throws -> Void = { _ in },
        observe: @escaping @Sendable (_ failure: (any Error)?, _ news: StoreNews) -> Void
    ) {
        let thread = DispatchQueue(label: "registry.writer")
        let connection = WritingConnection(pool: pool, transactions: transactions)
        self.init(
            limits: limits,
            start: { waiting in thread.async { _ = waiting.commit(on: connection) } },
            finish: finish, observe: observe)
    }
}

/// The connection that commits groups of changes.
struct WritingConnection: CommitEngine {
    let pool: DatabasePool
    let transactions: PooledTransactions

    func commit(_ body: (SQLiteTransaction) throws -> Void) throws {
        try pool.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                try body(transactions.on(db))
                return .commit
            }
        }
    }

    /// SQLite has one writer at a time, so its transactions do not collide.
    func isCollision(_ error: any Error) -> Bool { false }
}
