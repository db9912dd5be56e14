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

    var bytes: [UInt8] {
        let bytes = contents.withUTF8Buffer { Array($0) }
        guard !isText else { return bytes }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}
