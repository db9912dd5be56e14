import Syntax

/// Writes a JSON text byte by byte, for the most frequent responses. The others use `JSONEncoder`, which takes about
/// ten times as long. A test compares the two.
public struct JSONWriter {
    /// The text so far.
    public internal(set) var bytes: [UInt8] = []
    /// Whether the next member or element needs a comma before it.
    private var needsComma = false
    /// The described members of the open objects.
    var fields: [Field] = []

    /// A member that was written.
    struct Field {
        let name: StaticString
        /// Its name and its value in ``JSONWriter/bytes``, without a comma.
        let bytes: Range<Int>
    }

    /// - Parameter capacity: the expected length of the text in bytes.
    public init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    /// Writes `{…}`. The caller must write the members in the order of their names.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    /// Writes `[…]`.
    public mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        open("[")
        for element in elements {
            separate()
            write(&self, element)
            needsComma = true
        }
        close("]")
    }

    /// Writes one member of an object; the name must not need escapes.
    public mutating func member(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        separate()
        append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
        write(&self)
        needsComma = true
    }

    public mutating func member(_ name: StaticString, _ value: String) { member(name) { $0.string(value) } }

    /// Writes a member, or nothing if there is no value.
    public mutating func member(_ name: StaticString, _ value: String?) {
        if let value { member(name) { $0.string(value) } }
    }

    public mutating func member<Resource>(_ name: StaticString, _ id: ResourceID<Resource>?) {
        if let id { member(name) { $0.id(id) } }
    }

    /// Writes a member whose name is only known at run time.
    public mutating func member(named name: String, _ write: (inout JSONWriter) -> Void) {
        separate()
        string(name)
        append(UInt8(ascii: ":"))
        write(&self)
        needsComma = true
    }

    public mutating func member(named name: String, _ value: String) { member(named: name) { $0.string(value) } }

    mutating func null() { bytes.append(contentsOf: "null".utf8) }

    public mutating func integer(_ value: some BinaryInteger) { bytes.append(contentsOf: String(value).utf8) }

    /// Writes a number as `JSONEncoder` does: without a fraction if it is a whole number.
    public mutating func number(_ value: Double) {
        let text = "\(value)"
        bytes.append(contentsOf: text.ends(with: ".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }

    public mutating func boolean(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }

    public mutating func id<Resource>(_ id: ResourceID<Resource>) {
        append(UInt8(ascii: "\""))
        id.appendText(to: &bytes)
        append(UInt8(ascii: "\""))
    }

    public mutating func time(_ time: Timestamp) {
        append(UInt8(ascii: "\""))
        time.appendText(to: &bytes)
        append(UInt8(ascii: "\""))
    }

    /// Writes a string with the escapes that RFC 8259, section 7, requires, in the form of RFC 8785, section 3.2.2.2.
    public mutating func string(_ text: String) {
        append(UInt8(ascii: "\""))
        defer { append(UInt8(ascii: "\"")) }
        var text = text
        let isPlain = text.withUTF8 { text in
            guard !Self.needsEscape(text) else { return false }
            bytes.append(contentsOf: text)
            return true
        }
        guard !isPlain else { return }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += Array(#"\n"#.utf8)
            case 0x0D: bytes += Array(#"\r"#.utf8)
            case 0x09: bytes += Array(#"\t"#.utf8)
            case 0x08: bytes += Array(#"\b"#.utf8)
            case 0x0C: bytes += Array(#"\f"#.utf8)
            case 0..<0x20:
                bytes += Array((byte < 0x10 ? #"\u000"# : #"\u001"#).utf8) + Array(String(byte & 0xF, radix: 16).utf8)
            default: append(byte)
            }
        }
    }

    /// Whether any byte needs an escape. It reads all bytes, because the processor can read many at a time and nearly no
    /// text needs an escape.
    private static func needsEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in text { found |= byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 1 : 0 }
        return found != 0
    }

    mutating func open(_ bracket: Unicode.Scalar) {
        append(UInt8(ascii: bracket))
        needsComma = false
    }

    mutating func close(_ bracket: Unicode.Scalar) { append(UInt8(ascii: bracket)) }

    /// Writes the comma that the next member or element needs.
    mutating func separate() {
        if needsComma { append(UInt8(ascii: ",")) }
        needsComma = false
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }
}
