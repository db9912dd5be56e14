import Dispatch
package import GRDB
import RegistrySQL

extension GroupCommit<Database> {
    /// Commits on the pool's writing connection.
    convenience init(
        pool: DatabasePool, limits: GroupLimits = GroupLimits(),
        finish: @escaping @Sendable (Database) throws -> Void = { _ in },
        observe: @escaping @Sendable (_ failure: (any Error)?) -> Void
    ) {
        let thread = DispatchQueue(label: "registry.writer")
        self.init(
            limits: limits,
            start: { waiting in thread.async { _ = waiting.commit(on: pool) } },
            finish: finish, observe: observe)
    }
}

extension DatabasePool: CommitEngine {
    package func commit(_ body: (Database) throws -> Void) throws {
        try writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                try body(db)
                return .commit
            }
        }
    }

    /// SQLite has one writer at a time, so its transactions do not collide.
    package func isCollision(_ error: any Error) -> Bool { false }
}

extension Database: GroupTransaction {
    package var undoMark: Int { totalChangesCount }

    package var isLost: Bool { !isInsideTransaction }
}
