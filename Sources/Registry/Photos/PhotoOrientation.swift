/// How the camera was held, and so how the stored rows must be turned to show the photo upright.
///
/// The raw values are Exif's (Exif 2.32, section 4.6.4, tag 0x0112). `left` and `right` name the side of the stored
/// picture that is shown at the top.
public enum PhotoOrientation: Int, CaseIterable, Hashable, Sendable {
    case upright = 1
    case mirrored, upsideDown, upsideDownMirrored, leftMirrored, left, rightMirrored, right

    /// Whether width and height change places.
    public var isTurned: Bool { rawValue > 4 }

    /// The stored pixel that is shown at a position of the upright picture. Positions count from 0 at the top left.
    ///
    /// - Parameters:
    ///   - x: the column in the upright picture.
    ///   - y: the row in the upright picture.
    ///   - width: the width of the stored picture.
    ///   - height: the height of the stored picture.
    public func source(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (width - 1 - x, y)
        case .upsideDown: (width - 1 - x, height - 1 - y)
        case .upsideDownMirrored: (x, height - 1 - y)
        case .leftMirrored: (y, x)
        case .left: (y, height - 1 - x)
        case .rightMirrored: (width - 1 - y, height - 1 - x)
        case .right: (width - 1 - y, x)
        }
    }

    /// Reads only the orientation from an APP1 segment; nil if it contains none.
    ///
    /// Only the first directory is read, once, so no chain of directories can keep it busy.
    init?(exif segment: ArraySlice<UInt8>) {
        let content = ByteReader(segment)
        guard content.hasText(at: 0, "Exif\0\0"), let bytes = content.slice(6..<max(6, content.count)) else {
            return nil
        }
        var tiff = ByteReader(bytes)
        tiff.isLittleEndian = tiff.hasText(at: 0, "II")
        guard tiff.isLittleEndian || tiff.hasText(at: 0, "MM"), tiff.integer16(at: 2) == 42,
            let directory = tiff.integer32(at: 4), let count = tiff.integer16(at: directory)
        else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard let tag = tiff.integer16(at: entry) else { return nil }
            guard tag == 0x0112 else { continue }
            // One SHORT, which lies in the entry itself.
            guard tiff.integer16(at: entry + 2) == 3, tiff.integer32(at: entry + 4) == 1,
                let value = tiff.integer16(at: entry + 8)
            else { return nil }
            self.init(rawValue: value)
            return
        }
        return nil
    }
}
