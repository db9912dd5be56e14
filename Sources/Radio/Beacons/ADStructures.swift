/// An iterator over the AD structures of advertising or scan response data.
///
/// Each structure is a length octet, a type octet and `length - 1` octets of data (Core Specification 5.4, volume 3,
/// part C, section 11). Iterating allocates nothing: it returns offsets into bytes that the caller keeps.
///
/// ```swift
/// var structures = ADStructures()
/// while let structure = structures.next(in: bytes) { … bytes.extracting(structure.data) … }
/// if structures.isTruncated { … the last structure is longer than the remaining bytes … }
/// ```
public struct ADStructures: Sendable {
    /// One AD structure: its type (``ADType``), and the range of its data in the bytes.
    public struct Structure: Hashable, Sendable {
        public let type: UInt8
        public let data: Range<Int>

        @inlinable
        init(type: UInt8, data: Range<Int>) {
            self.type = type
            self.data = data
        }
    }

    /// Whether the last structure is longer than the remaining bytes; the structures before it are valid.
    public private(set) var isTruncated = false

    @usableFromInline var offset = 0

    @inlinable
    public init() {}

    /// The next structure, or nil at the end.
    ///
    /// A length of zero ends the significant part early (same section of the specification): the rest is padding.
    @inlinable
    public mutating func next(in bytes: RawSpan) -> Structure? {
        guard offset < bytes.byteCount else { return nil }
        let length = Int(bytes[byte: offset])
        guard length > 0 else {
            offset = bytes.byteCount
            return nil
        }
        let end = offset + 1 + length
        guard end <= bytes.byteCount else {
            offset = bytes.byteCount
            markTruncated()
            return nil
        }
        defer { offset = end }
        return Structure(type: bytes[byte: offset + 1], data: offset + 2..<end)
    }

    @usableFromInline
    mutating func markTruncated() { isTruncated = true }
}

/// AD types that this project reads or writes (Assigned Numbers, section 2.3).
public enum ADType {
    public static let flags: UInt8 = 0x01
    public static let serviceData16: UInt8 = 0x16
    public static let manufacturerSpecific: UInt8 = 0xFF
}
