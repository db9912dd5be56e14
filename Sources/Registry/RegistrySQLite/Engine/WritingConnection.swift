import GRDB
import RegistrySQL

/// The connection that commits groups of changes.
struct WritingConnection: CommitEngine, Sendable {
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
