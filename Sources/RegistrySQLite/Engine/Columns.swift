import Foundation
import GRDB
import GRDBSQLite
import Registry
import RegistryAPI

/// The columns of the row where a statement stands, from left to right: for the few questions that every visit asks.
/// Everywhere else a ``Row`` with names is clearer.
struct Columns {
    private let statement: SQLiteStatement
    private var index: CInt = 0

    init(_ statement: SQLiteStatement) { self.statement = statement }

    private mutating func advance() -> CInt {
        defer { index += 1 }
        return index
    }

    private mutating func optional<Value>(_ read: (inout Columns) throws -> Value) rethrows -> Value? {
        guard sqlite3_column_type(statement, index) != SQLITE_NULL else {
            index += 1
            return nil
        }
        return try read(&self)
    }

    mutating func integer() -> Int64 { sqlite3_column_int64(statement, advance()) }
    mutating func optionalInteger() -> Int64? { optional { $0.integer() } }
    mutating func bool() -> Bool { integer() != 0 }
    mutating func timestamp() -> Timestamp { Timestamp(milliseconds: integer()) }
    mutating func optionalTimestamp() -> Timestamp? { optional { $0.timestamp() } }
    mutating func optionalDouble() -> Double? { optional { sqlite3_column_double($0.statement, $0.advance()) } }

    /// Empty where the column is NULL.
    mutating func text() -> String { sqlite3_column_text(statement, advance()).map { String(cString: $0) } ?? "" }
    mutating func optionalText() -> String? { optional { $0.text() } }

    mutating func blob() -> UnsafeRawBufferPointer {
        let column = advance()
        return UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column))
        )
    }

    mutating func id<Resource>() throws -> ResourceID<Resource> {
        let bytes = blob()
        guard bytes.count == 16 else { throw CorruptRow(column: name(before: index)) }
        return ResourceID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    mutating func choice<Value: RawRepresentable<String>>() throws -> Value {
        guard let value = Value(rawValue: text()) else { throw CorruptRow(column: name(before: index)) }
        return value
    }

    /// In the columns latitude, longitude and accuracy.
    mutating func place() throws -> Place? {
        let (latitude, longitude, accuracy) = (optionalDouble(), optionalDouble(), optionalDouble())
        guard let latitude, let longitude else { return nil }
        let place = Place(latitude: latitude, longitude: longitude, accuracy: accuracy)
        guard place.isOnEarth else { throw CorruptRow(column: name(before: index)) }
        return place
    }

    private func name(before index: CInt) -> String {
        sqlite3_column_name(statement, index - 1).map { String(cString: $0) } ?? ""
    }
}
