import Beacons
import Foundation
import GRDB
import RegistryAPI

extension StationVisit {
    /// - Parameter row: a row of the table `visit`.
    init(_ row: Row) throws {
        self.init(
            try Outbox.decode(row.checked("body")), span: try BootSpan(row), isPlaceless: try row.checked("placeless"))
    }
}

extension BootSpan {
    /// Nil if wall time is known.
    init?(_ row: Row) throws {
        guard let boot: String = try row.checked("boot") as String?,
            let first: Int64 = try row.checked("boot_first") as Int64?,
            let last: Int64 = try row.checked("boot_last") as Int64?
        else { return nil }
        self.init(
            boot: BootID(boot), first: ScanInstant(nanoseconds: first), last: ScanInstant(nanoseconds: last))
    }
}

extension ResourceID {
    /// The 16 bytes in transmitted order, which is also chronological order.
    var data: Data {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
    }
}

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
