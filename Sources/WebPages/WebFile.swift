/// A file of the web pages, with its compressed forms.
public struct WebFile: Sendable {
    public let mediaType: String
    /// Whether its contents never change under its path.
    public let isImmutable: Bool
    public let bytes: [UInt8]
    /// The bytes in Brotli's format; nil if they are not smaller.
    public let brotli: [UInt8]?
    /// The bytes in gzip's format; nil if they are not smaller.
    public let gzip: [UInt8]?

    init(_ bytes: [UInt8], named name: String, isImmutable: Bool, isCompressed: Bool = true) {
        let type = Self.mediaTypes[String(name.split(separator: ".").last ?? "")] ?? (type: Self.unknown, isText: false)
        mediaType = type.type
        self.isImmutable = isImmutable
        self.bytes = bytes
        let compresses = type.isText && isCompressed
        brotli = compresses ? Compression.brotli(bytes) : nil
        gzip = compresses ? Compression.gzip(bytes) : nil
    }

    private static let unknown = "application/octet-stream"
    private static let mediaTypes: [String: (type: String, isText: Bool)] = [
        "css": ("text/css; charset=utf-8", true), "html": ("text/html; charset=utf-8", true),
        "js": ("text/javascript; charset=utf-8", true), "png": ("image/png", false),
        "svg": ("image/svg+xml", true), "webmanifest": ("application/manifest+json", true),
    ]
}
