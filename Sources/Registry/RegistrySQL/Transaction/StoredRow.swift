package import Foundation

/// The current row of a statement, valid only until the statement's next step.
package protocol CurrentRow: AnyObject {
    /// A copy of the row.
    var row: StoredRow { get }

    // Columns are numbered from 0.

    func name(of column: Int) -> String
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func double(_ column: Int) -> Double
    /// The text of a column, which is empty if the column is NULL.
    func text(_ column: Int) -> String
    /// The bytes of a column, valid as long as the row.
    func blob(_ column: Int) -> UnsafeRawBufferPointer
}

/// One row of a result, with columns by name.
package struct StoredRow {
    private let names: [String]
    /// In the order of the columns.
    package let values: [StoredValue]

    package init(names: [String], values: [StoredValue]) {
        self.names = names
        self.values = values
    }

    /// The value of a column; use an optional type if it can be NULL.
    ///
    /// - Throws: ``CorruptRow`` for a value of another type. The tables are strict, so that only a file changed by
    ///   other programs can hold such a value. It must not crash the process.
    package subscript<Value: StoredValueReadable>(_ column: String) -> Value {
        get throws {
            guard let value = Value(stored(column)) else { throw CorruptRow(column: column) }
            return value
        }
    }

    /// Whether the row has a column of this name that is not NULL.
    package func hasNonNull(_ column: String) -> Bool {
        if case .null = stored(column) { false } else { true }
    }

    /// The value of a column; NULL if the row has none of this name.
    private func stored(_ column: String) -> StoredValue {
        // Most names differ in length, so that their characters need no comparison.
        let length = column.utf8.count
        return names.firstIndex { $0.utf8.count == length && $0 == column }.map { values[$0] } ?? .null
    }
}

/// A row that this program cannot have written: another program has changed the database.
package struct CorruptRow: Error {
    package let column: String

    package init(column: String) { self.column = column }
}

/// The value of a column.
package enum StoredValue {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case blob(Data)
}

/// A type of value that can be read from a column.
package protocol StoredValueReadable {
    /// Converts a value; nil for a value of another type.
    init?(_ value: StoredValue)
}

extension Optional: StoredValueReadable where Wrapped: StoredValueReadable {
    package init?(_ value: StoredValue) {
        if case .null = value {
            self = .none
        } else {
            guard let wrapped = Wrapped(value) else { return nil }
            self = .some(wrapped)
        }
    }
}

extension Int64: StoredValueReadable {
    package init?(_ value: StoredValue) {
        guard case .integer(let integer) = value else { return nil }
        self = integer
    }
}

extension Int: StoredValueReadable {
    package init?(_ value: StoredValue) {
        guard case .integer(let integer) = value else { return nil }
        self.init(exactly: integer)
    }
}

extension Bool: StoredValueReadable {
    package init?(_ value: StoredValue) {
        guard case .integer(let integer) = value else { return nil }
        self = integer != 0
    }
}

extension Double: StoredValueReadable {
    package init?(_ value: StoredValue) {
        guard case .double(let double) = value else { return nil }
        self = double
    }
}

extension String: StoredValueReadable {
    package init?(_ value: StoredValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Data: StoredValueReadable {
    package init?(_ value: StoredValue) {
        guard case .blob(let data) = value else { return nil }
        self = data
    }
}
