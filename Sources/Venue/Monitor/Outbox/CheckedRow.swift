import GRDB

extension Row {
    /// The value of a column; optional if the column can be NULL. GRDB's own subscript ends the program if the value
    /// has another type, which must not happen because of a failing card.
    ///
    /// - Throws: the error of a damaged file (`SQLITE_CORRUPT`); the next start then creates a new file.
    func checked<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        guard let value = Value.fromDatabaseValue(self[column] as DatabaseValue? ?? .null) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "‘\(column)’ has another type")
        }
        return value
    }
}
