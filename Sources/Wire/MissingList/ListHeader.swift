import Beacons

/// The first 60 bytes of every message, decoded (docs/missing-list.md).
struct ListHeader {
    /// What follows the header.
    enum Kind: UInt8 {
        case full
        case delta
    }

    /// The length of the header in bytes.
    static let length = 60
    private static let magic: UInt32 = 0x464D_424C  // “FMBL”
    private static let format: UInt8 = 1
    /// The length of a hash in bits.
    private static let hashBits: UInt8 = 40

    var kind: Kind
    /// The parameter of the codes of hashes (``RiceParameter``).
    var parameter: UInt8
    /// The version of the list. For a delta, this and the fields below are those of the list that it leads to.
    var version: ListVersion
    /// The number of hashes.
    var count: UInt32
    /// The 32 bytes of the digest of the hashes.
    var digest: [UInt8]

    init(_ kind: Kind, parameter: UInt8, version: ListVersion, count: Int, digest: [UInt8]) {
        self.kind = kind
        self.parameter = parameter
        self.version = version
        self.count = UInt32(count)
        self.digest = digest
    }

    /// Decodes the header of an untrusted message.
    ///
    /// - Throws: `notAList`, `wrongLength` or `unknownFormat`.
    init(_ bytes: [UInt8]) throws(ListCodingError) {
        let span = bytes.span.bytes
        guard bytes.count >= 4, span.bigEndian(0, as: UInt32.self) == Self.magic else { throw .notAList }
        guard bytes.count >= Self.length else { throw .wrongLength }
        guard bytes[4] == Self.format, let kind = Kind(rawValue: bytes[5]), bytes[6] == Self.hashBits else {
            throw .unknownFormat
        }
        self.kind = kind
        parameter = bytes[7]
        version = ListVersion(span, 8)
        count = span.bigEndian(24, as: UInt32.self)
        digest = Array(bytes[28..<Self.length])
    }

    /// The header as bytes, ``length`` of them.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(Self.magic)
        bytes += [Self.format, kind.rawValue, Self.hashBits, parameter]
        bytes.append(version)
        bytes.appendBigEndian(count)
        return bytes + digest
    }
}

extension ListVersion {
    /// Decodes number and mark. The caller has checked the length.
    init(_ span: RawSpan, _ offset: Int) {
        self.init(number: span.bigEndian(offset, as: UInt64.self), mark: span.bigEndian(offset + 8, as: UInt64.self))
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    mutating func append(_ version: ListVersion) {
        appendBigEndian(version.number)
        appendBigEndian(version.mark)
    }
}
