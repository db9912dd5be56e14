/// A step from one version of the tables to the next, for both databases. A released step never changes.
package struct SchemaStep: Sendable {
    /// Its name in the table of completed steps, which never changes.
    package let name: String
    /// The oldest step whose programs can still use the tables after this one, so that processes that share PostgreSQL
    /// can be upgraded one by one. By default this step itself: no older program can.
    package let usableSince: String
    /// New tables, each after those that it refers to.
    package let tables: [Table]
    /// New columns and indexes of other tables.
    package let additions: [Table]
    private let triggers: [Trigger]
    /// Further changes, which run after the statements.
    package let finish: @Sendable (any Transaction) throws -> Void

    package init(
        _ name: String, usableSince: String? = nil, tables: [Table] = [], additions: [Table] = [],
        triggers: [Trigger] = [], finish: @escaping @Sendable (any Transaction) throws -> Void = { _ in }
    ) {
        self.name = name
        self.usableSince = usableSince ?? name
        self.tables = tables
        self.additions = additions
        self.triggers = triggers
        self.finish = finish
    }

    /// The statements of this step, in the order in which they must run.
    package func statements(in dialect: Dialect) -> [String] {
        tables.flatMap { $0.creation(in: dialect) } + additions.flatMap { $0.addition(in: dialect) }
            + triggers.flatMap { $0.statements(in: dialect) }
    }
}
