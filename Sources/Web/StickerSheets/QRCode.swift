import CQREncode

/// A QR code (ISO/IEC 18004), made by libqrencode.
public struct QRCode: Hashable, Sendable {
    /// The number of modules on each side, without the quiet zone.
    public let size: Int
    /// Whether each module is dark, row by row.
    private let modules: [Bool]

    /// The width of the quiet zone on each side, in modules.
    public static let quietZone = 4

    /// Encodes the bytes of a text with error correction of level M, which restores 15 % of the code.
    ///
    /// - Returns: nil if the text has more than about 2,300 bytes.
    public init?(_ text: String) {
        guard !text.utf8.contains(0), let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        guard size > 0, let data = code.pointee.data else { return nil }
        self.size = size
        // “The 1st bit of each byte: 1=black/0=white” (qrencode.h).
        modules = UnsafeBufferPointer(start: data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; those outside of the code are light.
    public func isDark(x: Int, y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }

    /// The dark modules as a path of SVG, where a module has the size 1 and the quiet zone is left free.
    public var path: String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while isDark(x: x, y: y) { x += 1 }
                if x > start {
                    path += "M\(start + Self.quietZone) \(y + Self.quietZone)h\(x - start)v1h-\(x - start)z"
                }
                x += 1
            }
        }
        return path
    }

    /// The code alone as an SVG document, with light quiet zones.
    public var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(width)" shape-rendering="crispEdges">\
        <rect width="\(width)" height="\(width)" fill="#fff"/><path d="\(path)"/></svg>
        """
    }

    /// The width of the code with its quiet zones, in modules.
    public var width: Int { size + 2 * Self.quietZone }
}
