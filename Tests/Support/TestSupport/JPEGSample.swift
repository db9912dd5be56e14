/// A JPEG file made of blocks of one colour each: valid, or wrong in a chosen way.
///
/// Each block of 8 × 8 pixels has only its mean (T.81, annex F.1.2), so a few lines can write it.
public struct JPEGSample: Sendable {
    public typealias Colour = (y: Int, cb: Int, cr: Int)

    /// Colours that stay apart after encoding: dark, red, green, light.
    public static let quarters: [Colour] = [(40, 128, 128), (100, 90, 240), (150, 50, 30), (230, 128, 128)]

    public var width: Int
    public var height: Int
    /// The orientation in an Exif segment, with a place; nil for no such segment.
    public var orientation: UInt16?
    /// The size that the header states, if it is to lie.
    public var stated: (width: Int, height: Int)?
    /// Whether the file is gray, in progressive form, with this number of scans.
    public var scans: Int?
    /// The colours of its quarters.
    public var colours = JPEGSample.quarters

    public init(_ width: Int = 64, _ height: Int = 48, orientation: UInt16? = nil) {
        self.width = width
        self.height = height
        self.orientation = orientation
    }

    public var bytes: [UInt8] {
        let (columns, rows) = ((width + 7) / 8, (height + 7) / 8)
        let head = [0xFF, 0xD8] + (orientation.map(Self.exif) ?? []) + quantisation + frame + Self.tables
        if let scans { return head + progressive(columns * rows, scans) + [0xFF, 0xD9] }
        var bits = BitWriter()
        var before = [0, 0, 0]
        for row in 0..<rows {
            for column in 0..<columns {
                let colour = colours[(2 * row / max(1, rows)) * 2 + 2 * column / max(1, columns)]
                for (index, value) in [colour.y, colour.cb, colour.cr].enumerated() {
                    bits.mean(value - 128 - before[index])
                    before[index] = value - 128
                    bits.append(0, 1)
                }
            }
        }
        return head + Self.segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]) + bits.finished + [0xFF, 0xD9]
    }

    /// The file with more segments before all others.
    public func with(_ segments: [UInt8]) -> [UInt8] {
        let bytes = bytes
        return Array(bytes[..<2]) + segments + bytes[2...]
    }

    /// A TIFF directory with the orientation, and one with a place, as cameras write them.
    private static func exif(_ orientation: UInt16) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: orientation)
        let tiff: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 2]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, UInt8(truncatingIfNeeded: orientation >> 8), low, 0, 0]
            + [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38] + [0, 0, 0, 0]
            + [0, 1, 0, 1, 0, 2, 0, 0, 0, 2] + Array("N\0\0\0".utf8) + [0, 0, 0, 0] + Array("GPS 51.5246 N".utf8)
        return segment(0xE1, Array("Exif\0\0".utf8) + tiff)
    }

    private var quantisation: [UInt8] { Self.segment(0xDB, [0] + Array(repeating: 8, count: 64)) }

    private var frame: [UInt8] {
        let (width, height) = stated ?? (width, height)
        let size = [height, width].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let components: [UInt8] = scans == nil ? [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0] : [1, 1, 0x11, 0]
        return Self.segment(scans == nil ? 0xC0 : 0xC2, [8] + size + components)
    }

    /// Means have codes of four bits by their length; of the other coefficients there is only the end.
    private static let tables: [UInt8] =
        segment(0xC4, [0x00, 0, 0, 0, 12] + Array(repeating: 0, count: 12) + Array(0...11))
        + segment(0xC4, [0x10, 1] + Array(repeating: 0, count: 15) + [0x00])

    private func progressive(_ blocks: Int, _ scans: Int) -> [UInt8] {
        var bits = BitWriter()
        for _ in 0..<blocks { bits.mean(0) }
        let means = Self.segment(0xDA, [1, 1, 0, 0, 0, 0]) + bits.finished
        var ends = BitWriter()
        for _ in 0..<blocks { ends.append(0, 1) }
        let scan = Self.segment(0xDA, [1, 1, 0, 1, 63, 0]) + ends.finished
        return means + (1..<max(1, scans)).flatMap { _ in scan }
    }

    /// A marker with its parameters.
    public static func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, code, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + content
    }
}

/// Writes bits, the most significant first; a zero follows each byte 0xFF (T.81, B.1.1.5).
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var current = 0
    private var count = 0

    mutating func append(_ value: Int, _ length: Int) {
        for shift in stride(from: length - 1, through: 0, by: -1) {
            current = current << 1 | (value >> shift & 1)
            count += 1
            guard count == 8 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: current))
            if current == 0xFF { bytes.append(0) }
            (current, count) = (0, 0)
        }
    }

    /// The difference of a mean: the length of its number, and the number (T.81, table F.1).
    mutating func mean(_ difference: Int) {
        let length = Int.bitWidth - abs(difference).leadingZeroBitCount
        append(length, 4)
        if length > 0 { append(difference > 0 ? difference : difference + (1 << length) - 1, length) }
    }

    var finished: [UInt8] {
        var copy = self
        if count > 0 { copy.append((1 << (8 - count)) - 1, 8 - count) }
        return copy.bytes
    }
}
