package import Beacons
package import Foundation
package import RegistryAPI
package import RegistryRules

// The domain's values as stored in columns.

extension ResourceID {
    /// The 16 bytes, most significant first, so that blobs sort in the same order as identifiers.
    package var blob: Data { Swift.withUnsafeBytes(of: bytes) { Data($0) } }

    /// Big-endian integers whose bytes are those of ``blob``.
    var bytes: (UInt64, UInt64) { (high.bigEndian, low.bigEndian) }

    /// Reads a ``blob``; nil unless it has 16 bytes.
    package init?(blob: Data) {
        guard blob.count == 16 else { return nil }
        self.init(high: blob.bigEndian(at: 0), low: blob.bigEndian(at: 8))
    }
}

extension BeaconIdentity {
    /// The 20 transmitted bytes.
    package var blob: Data { Swift.withUnsafeBytes(of: bytes) { Data($0.prefix(20)) } }

    /// Big-endian integers whose first 20 bytes are the transmitted ones.
    var bytes: (UInt64, UInt64, UInt32) {
        (uuid.high.bigEndian, uuid.low.bigEndian, (UInt32(major) << 16 | UInt32(minor)).bigEndian)
    }

    /// Reads a ``blob``; nil unless it has 20 bytes.
    package init?(blob: Data) {
        guard let identity = blob.withUnsafeBytes({ BeaconIdentity(bytes: $0) }) else { return nil }
        self = identity
    }

    /// Parses the 20 transmitted bytes; nil for any other number.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 20 else { return nil }
        let numbers = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
        self.init(
            uuid: ProximityUUID(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))),
            major: UInt16(truncatingIfNeeded: numbers >> 16),
            minor: UInt16(truncatingIfNeeded: numbers)
        )
    }
}

extension SecretDigest {
    /// The 32 bytes.
    package var blob: Data { Data(bytes) }
}

extension Principal {
    /// The blob: a letter for the kind, followed by the identifier.
    package var blob: Data {
        switch self {
        case .operator(let id): Data("p".utf8) + id.blob
        case .owner(let id): Data("o".utf8) + id.blob
        case .station(let id): Data("s".utf8) + id.blob
        case .partner(let id): Data("r".utf8) + id.blob
        }
    }
}

extension Data {
    /// A big-endian integer at an offset. The caller has checked the length.
    func bigEndian<Value: FixedWidthInteger>(at offset: Int) -> Value {
        withUnsafeBytes { Value(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
    }
}

extension StoredRow {
    /// The identifier in a column.
    ///
    /// - Throws: ``CorruptRow`` unless the column has 16 bytes.
    package func id<Resource>(_ column: String) throws -> ResourceID<Resource> {
        guard let id = ResourceID<Resource>(blob: try self[column]) else { throw CorruptRow(column: column) }
        return id
    }

    /// The beacon’s identity in a column.
    ///
    /// - Throws: ``CorruptRow`` unless the column has 20 bytes.
    package func identity(_ column: String) throws -> BeaconIdentity {
        guard let identity = BeaconIdentity(blob: try self[column]) else { throw CorruptRow(column: column) }
        return identity
    }

    /// The time in a column of milliseconds since 1970.
    package func timestamp(_ column: String) throws -> Timestamp { Timestamp(milliseconds: try self[column]) }

    /// The same; nil if the column is NULL.
    package func optionalTimestamp(_ column: String) throws -> Timestamp? {
        (try self[column] as Int64?).map(Timestamp.init(milliseconds:))
    }

    /// The case whose text is in a column.
    ///
    /// - Throws: ``CorruptRow`` for any other text.
    package func choice<Value: RawRepresentable<String>>(_ column: String) throws -> Value {
        guard let value = Value(rawValue: try self[column]) else { throw CorruptRow(column: column) }
        return value
    }

    /// The place from the columns latitude, longitude and accuracy; a prefix distinguishes the columns of joined
    /// tables.
    package func place(prefix: String = "") throws -> Place? {
        guard let latitude = try self[prefix + "latitude"] as Double?,
            let longitude = try self[prefix + "longitude"] as Double?
        else { return nil }
        let place = Place(latitude: latitude, longitude: longitude, accuracy: try self[prefix + "accuracy"])
        guard place.isOnEarth else { throw CorruptRow(column: prefix + "latitude") }
        return place
    }
}
