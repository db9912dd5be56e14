import Glibc

/// Reads numbers out of bytes; every position outside of them gives nil.
struct ByteReader {
    let bytes: ArraySlice<UInt8>
    /// The order of the bytes of numbers.
    var isLittleEndian = false

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var count: Int { bytes.count }

    func byte(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return bytes[bytes.startIndex + offset]
    }

    /// An unsigned number of two bytes.
    func integer16(at offset: Int) -> Int? {
        guard offset < bytes.count, let first = byte(at: offset), let second = byte(at: offset + 1) else { return nil }
        return isLittleEndian ? Int(second) << 8 | Int(first) : Int(first) << 8 | Int(second)
    }

    /// An unsigned number of four bytes.
    func integer32(at offset: Int) -> Int? {
        guard offset < bytes.count, let first = integer16(at: offset), let second = integer16(at: offset + 2) else {
            return nil
        }
        return isLittleEndian ? second << 16 | first : first << 16 | second
    }

    /// The first position at or after an offset that has this byte; nil if there is none.
    func position(of byte: UInt8, from offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        // memchr is fast in a build without optimization, too.
        return bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress,
                let found = memchr(start + offset, Int32(byte), buffer.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }

    /// Whether the bytes from an offset on are those of an ASCII text.
    func hasText(at offset: Int, _ text: String) -> Bool {
        text.utf8.enumerated().allSatisfy { byte(at: offset + $0) == $1 }
    }

    /// The bytes of a range; nil unless it lies within these.
    func slice(_ range: Range<Int>) -> ArraySlice<UInt8>? {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        return bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
    }
}
