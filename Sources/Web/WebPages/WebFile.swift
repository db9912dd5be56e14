import Synchronization
import Syntax

/// A file of the web pages, with its compressed forms.
public struct WebFile: Sendable {
    /// With the encoding of a text, as in `text/css; charset=utf-8`.
    public let mediaType: String
    /// Whether its contents never change under its path.
    public let isImmutable: Bool
    /// The contents, not compressed.
    public let bytes: [UInt8]
    private let forms: CompressedForms?

    /// The bytes in Brotli's format; nil if they are not smaller.
    public var brotli: [UInt8]? { forms?.brotli }
    /// The bytes in gzip's format; nil if they are not smaller.
    public var gzip: [UInt8]? { forms?.gzip }

    /// - Parameters:
    ///   - name: a name whose ending determines the media type.
    ///   - isCompressed: whether a text also has compressed forms.
    init(_ bytes: [UInt8], named name: String, isImmutable: Bool, isCompressed: Bool = true) {
        let ending = String(name.split(at: ".").last ?? "")
        let type = Self.mediaTypes[ending] ?? (name: "application/octet-stream", isText: false)
        mediaType = type.name
        self.isImmutable = isImmutable
        self.bytes = bytes
        forms = type.isText && isCompressed ? CompressedForms(bytes) : nil
    }

    private static let mediaTypes: [String: (name: String, isText: Bool)] = [
        "css": ("text/css; charset=utf-8", true), "html": ("text/html; charset=utf-8", true),
        "js": ("text/javascript; charset=utf-8", true), "png": ("image/png", false),
        "svg": ("image/svg+xml", true), "webmanifest": ("application/manifest+json", true),
    ]
}

/// The compressed forms of a file. Each is made when it is first requested, and kept: making all of them would take
/// more than a second of a processor at each start, and several on a small machine.
private final class CompressedForms: Sendable {
    private enum Form {
        case unmade
        /// Nil if it is not smaller than the file.
        case made([UInt8]?)
    }

    private let bytes: [UInt8]
    private let brotliForm = Mutex(Form.unmade)
    private let gzipForm = Mutex(Form.unmade)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var brotli: [UInt8]? { Self.form(in: brotliForm) { Compression.brotli(bytes) } }
    var gzip: [UInt8]? { Self.form(in: gzipForm) { Compression.gzip(bytes) } }

    /// The form in a place, which is made if it was not yet.
    private static func form(in place: borrowing Mutex<Form>, _ make: () -> [UInt8]?) -> [UInt8]? {
        place.withLock { form in
            if case .made(let bytes) = form { return bytes }
            let bytes = make()
            form = .made(bytes)
            return bytes
        }
    }
}

/// A file of the web pages, as `bundle.py` has written it into the program.
struct BundledFile: Sendable {
    /// The address, such as `/assets/app-3GFDZGAV.js`; for a file outside of `/assets`, whose address is not final, the
    /// name.
    let path: String
    /// The name in the folder of files, such as `js/app.js`; empty for code that several scripts share.
    let source: String
    /// The script of the shell that the file belongs to; empty if all may use it.
    let shell: String
    /// The addresses of the scripts that it imports statically.
    let imports: [String]
    let isText: Bool
    /// The contents; for a file that is not text, each byte as a Unicode scalar, since a literal of this kind costs the
    /// compiler no work.
    let contents: StaticString

    /// The contents as bytes.
    var bytes: [UInt8] {
        let bytes = contents.withUTF8Buffer { Array($0) }
        guard !isText else { return bytes }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}
