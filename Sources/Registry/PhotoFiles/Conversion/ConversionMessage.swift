import Glibc
import Photos

/// The message that the converting process writes before it ends.
enum ConversionMessage {
    /// Exit statuses besides 0, as in sysexits.h.
    static let refused: Int32 = 65
    static let failed: Int32 = 70

    /// The pictures with their lengths: two big-endian numbers of 32 bits, the large picture, the small one.
    static func bytes(large: [UInt8], small: [UInt8]) -> [UInt8] {
        [large, small].flatMap { picture in
            let count = UInt32(clamping: picture.count)
            return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
        } + large + small
    }

    /// The pictures in a message, which may contain anything; nil unless it contains exactly two valid pictures.
    static func photo(in bytes: [UInt8]) -> ConvertedPhoto? {
        guard bytes.count >= 8 else { return nil }
        let lengths = [0, 4].map { offset in bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard 8 + lengths[0] + lengths[1] == bytes.count else { return nil }
        return ConvertedPhoto(
            large: Array(bytes[8..<8 + lengths[0]]), small: Array(bytes[(8 + lengths[0])...]))
    }

    /// The reasons for a refusal that only decoding can find, by their names in a message.
    private static let refusals: [String: PhotoRefusal] = [
        "truncated": .truncated, "damaged": .damaged, "complex": .tooComplex,
    ]

    static func name(of refusal: PhotoRefusal) -> String {
        refusals.first { $0.value == refusal }?.key ?? "damaged"
    }

    static func refusal(named bytes: [UInt8]) -> PhotoRefusal {
        refusals[String(decoding: bytes.prefix(32), as: UTF8.self)] ?? .damaged
    }
}

/// The reason why no photo can be converted at the moment, whatever the photo.
struct ConversionFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(_ operation: String, code: Int32) { description = "\(operation): \(String(cString: strerror(code)))" }
}
