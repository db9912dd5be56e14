import Beacons
import Evidence
import Foundation
import GRDB
import GRDBSQLite
import RegistryAPI

/// What a statement's parameter can take.
///
/// Bound as it is: on the way through GRDB's own values each identifier would become an object with two allocations.
protocol Bindable {
    /// Returns SQLite's result code.
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt
}

extension Int64: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt { sqlite3_bind_int64(statement, index, self) }
}

extension Int: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt { Int64(self).bind(to: statement, at: index) }
}

extension Bool: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        sqlite3_bind_int(statement, index, self ? 1 : 0)
    }
}

extension Double: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt { sqlite3_bind_double(statement, index, self) }
}

extension String: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        sqlite3_bind_text(statement, index, self, CInt(utf8.count), copied)
    }
}

extension Data: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        withUnsafeBytes { bindBlob($0, to: statement, at: index) }
    }
}

extension [UInt8]: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        withUnsafeBytes { bindBlob($0, to: statement, at: index) }
    }
}

extension HashValue: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt { bytes.bind(to: statement, at: index) }
}

extension ResourceID: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        withUnsafeBytes(of: bytes) { bindBlob($0, to: statement, at: index) }
    }
}

extension BeaconIdentity: Bindable {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        withUnsafeBytes(of: bytes) { bindBlob(.init(rebasing: $0.prefix(20)), to: statement, at: index) }
    }
}

private func bindBlob(_ bytes: UnsafeRawBufferPointer, to statement: SQLiteStatement, at index: CInt) -> CInt {
    // Of no bytes there may be no address, which SQLite would take for NULL.
    guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
    return sqlite3_bind_blob(statement, index, bytes.baseAddress, CInt(bytes.count), copied)
}

/// SQLITE_TRANSIENT, a cast that Swift does not import: “the object is to be copied prior to the return from
/// sqlite3_bind_*()”.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
