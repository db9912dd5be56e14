import GRDB
import RegistryRules
import RegistrySQL

/// The connection that commits groups of changes, and the steps at the end of each group.
struct WritingConnection: CommitEngine, Sendable {
    let pool: DatabasePool
    let transactions: PooledTransactions
    let tokens: TokenCache
    let listVersion: RememberedVersion
    let revocations: RevocationWatch
    let signals: StoreSignals
    let health: StorageHealth

    func commit(_ body: (SQLiteTransaction) throws -> Void) throws {
        try pool.writeWithoutTransaction { db in
            let transaction = transactions.on(db)
            try transaction.run(beginning: "BEGIN IMMEDIATE") { try body(transaction) }
        }
    }

    func finish(_ db: SQLiteTransaction) throws {
        if try MissingListJournal(db).advance() {
            db.news.missingList = true
            listVersion.touch()
        }
    }

    /// SQLite has one writer at a time, so its transactions do not collide.
    func isCollision(_ error: any Error) -> Bool { false }

    func note(_ failure: (any Error)?, _ news: StoreNews) {
        tokens.forgetTouched()
        revocations.endGroup()
        listVersion.forgetTouched()
        signals.wake(for: news)
        health.note(failure)
    }
}
