import Photos

/// A decoded picture.
struct Picture {
    /// In pixels.
    let width: Int
    /// In pixels.
    let height: Int
    /// The rows from top to bottom; each pixel has a byte of red, green and blue.
    private(set) var bytes: [UInt8]

    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// The picture with its longer side at most this long, each pixel the mean of the area that it covers.
    func shrunk(to side: Int) -> Picture {
        let longer = max(width, height)
        guard longer > side else { return self }
        let columns = Self.areas(width, max(1, width * side / longer))
        let rows = Self.areas(height, max(1, height * side / longer))
        var result = [UInt8](repeating: 0, count: columns.count * rows.count * 3)
        // The sums of the rows of one area: for each column, of red, green and blue.
        var sums = [UInt32](repeating: 0, count: width * 3)
        var offset = 0
        for area in rows {
            for index in sums.indices { sums[index] = 0 }
            for row in area {
                let start = row * width * 3
                for index in sums.indices { sums[index] += UInt32(bytes[start + index]) }
            }
            for column in columns {
                let count = UInt32(column.count * area.count)
                for colour in 0..<3 {
                    var sum: UInt32 = 0
                    for x in column { sum += sums[x * 3 + colour] }
                    // The mean, rounded.
                    result[offset] = UInt8(truncatingIfNeeded: (sum + count / 2) / count)
                    offset += 1
                }
            }
        }
        return Picture(width: columns.count, height: rows.count, bytes: result)
    }

    /// Divides a length into parts that differ by at most one.
    private static func areas(_ length: Int, _ parts: Int) -> [Range<Int>] {
        (0..<parts).map { $0 * length / parts..<($0 + 1) * length / parts }
    }

    /// The picture upright.
    func turned(by orientation: PhotoOrientation) -> Picture {
        guard orientation != .upright else { return self }
        let (newWidth, newHeight) = orientation.isTurned ? (height, width) : (width, height)
        var result = [UInt8](repeating: 0, count: bytes.count)
        var offset = 0
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let source = orientation.source(x: x, y: y, width: width, height: height)
                let start = (source.y * width + source.x) * 3
                for colour in 0..<3 { result[offset + colour] = bytes[start + colour] }
                offset += 3
            }
        }
        return Picture(width: newWidth, height: newHeight, bytes: result)
    }

    /// The picture with the colours of sRGB, which viewers assume without a profile.
    func inStandardColours(from profile: ColourProfile?) -> Picture {
        guard let profile else { return self }
        var copy = self
        profile.convertToStandard(&copy.bytes)
        return copy
    }
}
