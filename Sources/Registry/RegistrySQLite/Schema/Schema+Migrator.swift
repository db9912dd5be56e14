import GRDB
import RegistrySQL

extension Schema {
    /// Makes the tables of an SQLite database, and brings those of an earlier release up to date.
    static var migrator: DatabaseMigrator {
        steps.reduce(into: DatabaseMigrator()) { migrator, step in
            migrator.registerMigration(step.name) { db in
                for statement in step.statements(in: .sqlite) { try db.execute(sql: statement) }
                try step.finish(SQLiteTransaction(db))
            }
        }
    }

    /// Whether these steps made a database's tables, and the first step is not that of the first release.
    static func isUnreleased(_ steps: Set<String>) -> Bool {
        !steps.isEmpty && Schema.steps.first.map { steps.contains($0.name) } == false
    }
}
