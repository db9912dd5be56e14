/// An ICC profile of a matrix and curves (ICC.1:2022), written by a few lines.
public struct ProfileSample: Sendable {
    /// The signature of the colours: `RGB ` or `GRAY`.
    public var colours = "RGB "
    public var tags: [(name: String, content: [UInt8])]

    public init(tags: [(name: String, content: [UInt8])]) { self.tags = tags }

    /// The Display P3 of phones: red, green and blue in XYZ under D50, and the curve of sRGB.
    public static let displayP3: ProfileSample = {
        let curve = function(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        return ProfileSample(tags: [
            ("rXYZ", colour(0.51512, 0.24120, -0.00105)), ("gXYZ", colour(0.29198, 0.69225, 0.04189)),
            ("bXYZ", colour(0.15710, 0.06657, 0.78407)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ])
    }()

    /// With the same red, green and blue, and another curve.
    public static func displayP3(curve: [UInt8]) -> ProfileSample {
        ProfileSample(tags: displayP3.tags.prefix(3) + ["rTRC", "gTRC", "bTRC"].map { ($0, curve) })
    }

    public static func colour(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ \0\0\0\0".utf8) + [x, y, z].flatMap(fixed)
    }

    public static func function(_ type: UInt8, _ parameters: [Double]) -> [UInt8] {
        Array("para\0\0\0\0\0".utf8) + [type, 0, 0] + parameters.flatMap(fixed)
    }

    public static func table(_ values: [UInt16]) -> [UInt8] {
        Array("curv\0\0\0\0".utf8) + number(values.count)
            + values.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    public var bytes: [UInt8] {
        var (table, data): ([UInt8], [UInt8]) = (Self.number(tags.count), [])
        let start = 132 + 12 * tags.count
        for tag in tags {
            table += Array(tag.name.utf8) + Self.number(start + data.count) + Self.number(tag.content.count)
            data += tag.content
        }
        let space = Array(colours.utf8) + Array("XYZ ".utf8)
        return zeros(16) + space + zeros(12) + Array("acsp".utf8) + zeros(88) + table + data
    }

    /// The profile in segments of a JPEG file (annex B.4), in parts of this length.
    public func segments(of length: Int = 60_000) -> [[UInt8]] {
        let bytes = bytes
        let starts = Array(stride(from: 0, to: bytes.count, by: length))
        return starts.enumerated().map { index, start in
            let place = [UInt8(truncatingIfNeeded: index + 1), UInt8(truncatingIfNeeded: starts.count)]
            return JPEGSample.segment(
                0xE2, Array("ICC_PROFILE\0".utf8) + place + bytes[start..<min(start + length, bytes.count)])
        }
    }

    private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    private static func number(_ value: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A number with 16 bits behind the point.
    private static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded())) }
}
