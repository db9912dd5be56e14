import Glibc
import Photos

/// The message that the converting process writes before it ends.
enum ConversionMessage {
    /// The exit status if the photo cannot be used (EX_DATAERR of sysexits.h). The message is the reason's name.
    static let refused: Int32 = 65
    /// The exit status if no photo can be converted (EX_SOFTWARE). The message is a text for the operator.
    static let failed: Int32 = 70

    /// The maximum length of a message in bytes, with room for lengths and texts.
    static let maximumLength = PhotoLimits.pictureBytes + 4096

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

    /// The name of a refusal in a message.
    static func name(of refusal: PhotoRefusal) -> String {
        refusals.first { $0.value == refusal }?.key ?? "damaged"
    }

    /// The refusal in a message, which may contain anything.
    static func refusal(named bytes: [UInt8]) -> PhotoRefusal {
        refusals[String(decoding: bytes.prefix(32), as: UTF8.self)] ?? .damaged
    }
}

/// The reason why no photo can be converted at the moment, whatever the photo.
struct ConversionFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// - Parameter code: the `errno` of the failed operation.
    init(_ operation: String, code: Int32) { description = "\(operation): \(String(cString: strerror(code)))" }
}
