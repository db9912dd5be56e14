import Foundation
import GRDB
import Registry
import RegistryAPI

// Statements are prepared once per connection and kept.
extension Database {
    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }

    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Whether the statement finds a row.
    func exists(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try row(sql, arguments) != nil
    }

    /// The integer in the only column of the first row.
    func integer(_ sql: String, _ arguments: StatementArguments) throws -> Int64? {
        try Int64.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// The integer key of an owner, which its token has shown to exist.
    func key(of owner: OwnerID) throws -> Int64 {
        guard let key = try integer("SELECT key FROM owner WHERE id = ?", [owner.blob]) else {
            throw DomainError.notFound("owner")
        }
        return key
    }
}

extension Array {
    /// A page from one row more than its limit.
    func page<Cursor>(limit: Int, cursor: (Element) -> Cursor) -> StoredPage<Element, Cursor>
    where Element: Sendable, Cursor: Sendable {
        let items = Array(prefix(limit))
        return StoredPage(items: items, next: count > limit ? items.last.map(cursor) : nil)
    }
}
