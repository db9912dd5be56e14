import Foundation
import PostgreSQL
import RegistrySQL

/// The current row of a statement.
struct PostgreSQLRow: CurrentRow {
    /// The names of a result's columns, read once if any row is copied.
    final class Names {
        private var names: [String]?

        func names(of row: Row) -> [String] {
            if let names { return names }
            let names = (0..<row.columnCount).map(row.name)
            self.names = names
            return names
        }
    }

    let current: Row
    let names: Names

    var row: StoredRow {
        StoredRow(names: names.names(of: current), values: (0..<current.columnCount).map(value))
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
