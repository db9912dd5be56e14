import Beacons
import RegistryAPI
import RegistryRules

/// The columns of a statement's current row, read from left to right; for the few statements that every visit runs.
/// Elsewhere a ``StoredRow`` with names is clearer.
package struct ColumnReader {
    private let row: any CurrentRow
    private var index = 0

    package init(_ row: any CurrentRow) { self.row = row }

    /// The index of the next column, which is then behind the reader.
    private mutating func advance() -> Int {
        defer { index += 1 }
        return index
    }

    /// Reads the next column, or skips it and returns nil if it is NULL.
    private mutating func optional<Value>(_ read: (inout ColumnReader) throws -> Value) rethrows -> Value? {
        guard !row.isNull(index) else {
            index += 1
            return nil
        }
        return try read(&self)
    }

    mutating func integer() -> Int64 { row.integer(advance()) }
    mutating func optionalInteger() -> Int64? { optional { $0.integer() } }
    mutating func bool() -> Bool { integer() != 0 }
    mutating func timestamp() -> Timestamp { Timestamp(milliseconds: integer()) }
    mutating func optionalTimestamp() -> Timestamp? { optional { $0.timestamp() } }
    mutating func optionalDouble() -> Double? { optional { $0.row.double($0.advance()) } }

    /// The text, which is empty if the column is NULL.
    mutating func text() -> String { row.text(advance()) }
    mutating func optionalText() -> String? { optional { $0.text() } }

    /// The bytes, valid as long as the row.
    mutating func blob() -> UnsafeRawBufferPointer { row.blob(advance()) }

    /// A secret or a digest of 32 bytes; nil if the column is NULL.
    mutating func optionalDigest() throws -> SecretDigest? {
        try optional { columns in
            guard let digest = SecretDigest(bytes: Array(columns.blob())) else { throw columns.corruptRow }
            return digest
        }
    }

    /// An identifier of 16 bytes.
    mutating func id<Resource>() throws -> ResourceID<Resource> {
        let bytes = blob()
        guard bytes.count == 16 else { throw corruptRow }
        return ResourceID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// A beacon’s identity of 20 bytes.
    mutating func identity() throws -> BeaconIdentity {
        guard let identity = BeaconIdentity(bytes: blob()) else { throw corruptRow }
        return identity
    }

    /// A case by its text.
    mutating func choice<Value: RawRepresentable<String>>() throws -> Value {
        guard let value = Value(rawValue: text()) else { throw corruptRow }
        return value
    }

    /// A place from the columns latitude, longitude and accuracy; nil if the first two are NULL.
    mutating func place() throws -> Place? {
        let (latitude, longitude, accuracy) = (optionalDouble(), optionalDouble(), optionalDouble())
        guard let latitude, let longitude else { return nil }
        let place = Place(latitude: latitude, longitude: longitude, accuracy: accuracy)
        guard place.isOnEarth else { throw corruptRow }
        return place
    }

    /// The error for the column that was read last.
    private var corruptRow: CorruptRow { CorruptRow(column: row.name(of: index - 1)) }
}
