import CPostgreSQL

/// The statements that are prepared on a connection, by their text; a bounded number of them.
struct StatementCache {
    /// A statement that the server has prepared.
    struct Prepared {
        /// Its name on the server.
        let name: String
        /// The types of the parameters, as the server inferred them.
        let types: [Oid]
        fileprivate var lastUse: UInt64 = 0

        init(name: String, types: [Oid]) {
            self.name = name
            self.types = types
        }
    }

    private var statements: [String: Prepared] = [:]
    /// The names of forgotten statements, which the server still has.
    private(set) var forgotten: [String] = []
    /// The number of uses so far, which orders the statements by their last use.
    private var uses: UInt64 = 0
    /// The number of names so far.
    private var names: UInt64 = 0
    private let limit: Int

    /// - Parameter limit: the maximum number of statements, at least 1.
    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { statements.count }

    /// The prepared statement of a text; nil if it must be prepared. Counts as a use.
    mutating func find(_ sql: String) -> Prepared? {
        uses &+= 1
        statements[sql]?.lastUse = uses
        return statements[sql]
    }

    /// A name that no statement of this connection has had.
    mutating func makeName() -> String {
        names &+= 1
        return "s\(names)"
    }

    /// Adds a statement, and forgets the one that was unused longest if there are too many.
    mutating func add(_ sql: String, _ prepared: Prepared) {
        // Looking through all of them takes less time than the round trip that prepared the new one.
        if statements.count >= limit, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            forget(oldest.key)
        }
        uses &+= 1
        statements[sql] = prepared
        statements[sql]?.lastUse = uses
    }

    /// Forgets the statement of a text; the server still has it.
    mutating func forget(_ sql: String) {
        if let prepared = statements.removeValue(forKey: sql) { forgotten.append(prepared.name) }
    }

    /// The names of forgotten statements, for the server to drop.
    mutating func takeForgotten() -> [String] {
        defer { forgotten = [] }
        return forgotten
    }
}
