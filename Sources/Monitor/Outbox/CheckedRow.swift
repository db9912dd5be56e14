import GRDB

extension Row {
    /// The value of a column, an optional one where it can be NULL. GRDB's own subscript ends the program where the value
    /// has another type: a card that fails must not do that.
    ///
    /// - Throws: what a damaged file gives (`SQLITE_CORRUPT`), with which the next start begins a new one.
    func checked<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        guard let value = Value.fromDatabaseValue(self[column] as DatabaseValue? ?? .null) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "‘\(column)’ has another type")
        }
        return value
    }
}
