import Foundation
import PostgreSQL
import RegistrySQL

/// The current row of a statement; all rows of a result have the same columns.
final class PostgreSQLRow: CurrentRow {
    var current: Row
    /// Read if any row is copied.
    private lazy var names = (0..<current.columnCount).map(current.name)

    init(_ current: Row) { self.current = current }

    var row: StoredRow {
        StoredRow(names: names, values: (0..<current.columnCount).map(value))
    }

    private func value(_ column: Int) -> StoredValue {
        switch current.kind(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .double: .double(double(column))
        case .text: .text(text(column))
        case .blob: .blob(Data(blob(column)))
        // No statement has such a column: reading it fails, since nothing is read from an empty blob.
        case .other: .blob(Data())
        }
    }

    func name(of column: Int) -> String { current.name(of: column) }
    func isNull(_ column: Int) -> Bool { current.isNull(column) }
    func integer(_ column: Int) -> Int64 { current.integer(column) ?? 0 }
    func double(_ column: Int) -> Double { current.double(column) ?? 0 }
    func text(_ column: Int) -> String { current.text(column) ?? "" }
    func blob(_ column: Int) -> UnsafeRawBufferPointer { current.blob(column) }
}
