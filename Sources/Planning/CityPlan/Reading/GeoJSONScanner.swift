import Simulation
import Syntax

/// Reads a JSON text piece by piece (RFC 8259), so that a map of hundreds of megabytes needs little more memory than its
/// text. It checks what it reads, and reports the line of an error.
struct GeoJSONScanner {
    let bytes: [UInt8]
    /// The name of the file in errors.
    let source: String
    /// The index of the next byte to read.
    private(set) var offset = 0

    /// The maximum number of nested objects and arrays, so that hostile files cannot exhaust the stack.
    static let maximumDepth = 32
    /// The maximum number of bytes that are kept of a string; the rest is skipped.
    static let maximumString = 4096

    init(_ bytes: [UInt8], source: String) {
        (self.bytes, self.source) = (bytes, source)
        offset = bytes.withoutByteOrderMark.startIndex
    }

    /// An error with the line of a position; by default of the next byte.
    func error(_ problem: String, at position: Int? = nil) -> ScenarioError {
        let line = bytes[..<min(position ?? offset, bytes.count)].reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
        return ScenarioError(source: source, line: line, problem: problem)
    }

    /// The next byte after white space and record separators (RFC 8142); 0 at the end.
    var next: UInt8 {
        mutating get {
            while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D, 0x1E].contains(bytes[offset]) { offset += 1 }
            return offset < bytes.count ? bytes[offset] : 0
        }
    }

    /// Skips a byte, after white space, if it is this one; false if it is another.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        offset += 1
        return true
    }

    /// Skips a byte, after white space, which must be this one.
    mutating func expect(_ byte: Unicode.Scalar) throws(ScenarioError) {
        guard take(byte) else { throw error("not valid JSON: ‘\(byte)’ is missing here") }
    }

    /// Passes on each member of an object; the body must read its value.
    mutating func object(
        _ body: (inout GeoJSONScanner, String) throws(ScenarioError) -> Void
    ) throws(ScenarioError) {
        try expect("{")
        guard !take("}") else { return }
        repeat {
            let name = try string()
            try expect(":")
            try body(&self, name)
        } while take(",")
        try expect("}")
    }

    /// Passes on each element of an array; the body must read it.
    mutating func array(_ body: (inout GeoJSONScanner) throws(ScenarioError) -> Void) throws(ScenarioError) {
        try expect("[")
        guard !take("]") else { return }
        repeat { try body(&self) } while take(",")
        try expect("]")
    }

    /// A string. Of a long one only the beginning is kept. Escaped line breaks and tabs become spaces, and halves of
    /// surrogate pairs question marks.
    mutating func string() throws(ScenarioError) -> String {
        try expect("\"")
        let start = offset
        var text: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&text)
            case ..<0x20: throw error("not valid JSON: a control character in a string", at: offset - 1)
            default: if text.count < Self.maximumString { text.append(byte) }
            }
        }
        throw error("not valid JSON: a string does not end", at: start)
    }

    /// Reads what follows a backslash.
    private mutating func escape(_ text: inout [UInt8]) throws(ScenarioError) {
        guard offset < bytes.count else { throw error("not valid JSON: a string does not end") }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "u"):
            guard offset + 4 <= bytes.count,
                let value = UInt32(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
            else { throw error("not valid JSON: four hexadecimal digits must follow \\u") }
            offset += 4
            text += Unicode.Scalar(value).map { Array(String($0).utf8) } ?? Array("?".utf8)
        case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "f"):
            text.append(0x20)
        default: text.append(byte)
        }
    }

    /// A finite number of at most 64 bytes.
    mutating func number() throws(ScenarioError) -> Double {
        // Skips white space.
        _ = next
        let start = offset
        while offset < bytes.count, "+-.eE0123456789".utf8.contains(bytes[offset]) { offset += 1 }
        guard offset > start, offset - start <= 64,
            let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), value.isFinite
        else { throw error("not valid JSON: a number is expected", at: start) }
        return value
    }

    /// Skips any value.
    ///
    /// - Parameter depth: the number of objects and arrays around it.
    mutating func skip(depth: Int = 0) throws(ScenarioError) {
        guard depth < Self.maximumDepth else { throw error("more than \(Self.maximumDepth) levels of nesting") }
        switch next {
        case UInt8(ascii: "{"): try object { (scanner, _) throws(ScenarioError) in try scanner.skip(depth: depth + 1) }
        case UInt8(ascii: "["): try array { (scanner) throws(ScenarioError) in try scanner.skip(depth: depth + 1) }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: _ = try number()
        }
    }

    private mutating func literal(_ text: String) throws(ScenarioError) {
        guard bytes[offset...].starts(with: text.utf8) else { throw error("not valid JSON: a value is expected") }
        offset += text.utf8.count
    }

    /// The text of a simple value: a string, or a number or literal as it is written; nil for another value.
    mutating func text() throws(ScenarioError) -> String? {
        switch next {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try skip()
            return nil
        default:
            let start = offset
            try skip()
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }
    }
}
