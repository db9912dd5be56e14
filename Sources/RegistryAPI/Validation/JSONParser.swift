/// Parses one JSON text (RFC 8259) strictly, with bounded depth, and says where a malformed one breaks.
///
/// Foundation's decoder stops at the first field that does not fit its type and loses duplicate names and positions;
/// a request's answer needs all of these.
struct JSONParser {
    /// Arrays and objects within each other.
    static let maximumDepth = 32
    /// Bytes of one number; the longest double that printers write has 325.
    static let maximumNumberLength = 400
    /// Bytes of a field's name; the contract's longest has 17. Swift compares and hashes text in its normal form, for
    /// which it sorts combining marks: a name of a hundred thousand of them would take seconds.
    static let maximumNameLength = 64

    let bytes: [UInt8]
    var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value of the whole text.
    static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value(depth: 0)
        parser.skipWhitespace()
        guard parser.offset == bytes.count else { throw parser.error("nothing may follow the value") }
        return value
    }

    var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func error(_ reason: String) -> JSONSyntaxError { error(reason, at: offset) }

    func error(_ reason: String, at position: Int) -> JSONSyntaxError {
        let before = bytes[..<min(position, bytes.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lines = before.reduce(into: 1) { count, byte in if byte == UInt8(ascii: "\n") { count += 1 } }
        return JSONSyntaxError(line: lines, column: before.count - lineStart + 1, reason: reason)
    }

    mutating func skipWhitespace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    /// Takes one byte of punctuation after any whitespace.
    mutating func take(_ punctuation: Unicode.Scalar) -> Bool {
        skipWhitespace()
        guard current == UInt8(ascii: punctuation) else { return false }
        offset += 1
        return true
    }

    mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipWhitespace()
        guard depth <= Self.maximumDepth else { throw error("more than \(Self.maximumDepth) levels of nesting") }
        guard let byte = current else { throw error("the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("a value is expected")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        offset += 1
        var members: [String: JSONValue] = [:]
        guard !take("}") else { return .object(members) }
        repeat {
            skipWhitespace()
            let start = offset
            guard current == UInt8(ascii: "\"") else { throw error("a field's name in quotes is expected") }
            let name = try string(atMost: Self.maximumNameLength)
            guard take(":") else { throw error("a colon is expected after the field's name") }
            let member = try value(depth: depth + 1)
            guard members.updateValue(member, forKey: name) == nil else {
                throw error("the field's name occurs twice in one object", at: start)
            }
        } while take(",")
        guard take("}") else { throw error("a comma or a closing brace is expected") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        offset += 1
        var elements: [JSONValue] = []
        guard !take("]") else { return .array(elements) }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw error("a comma or a closing bracket is expected") }
        return .array(elements)
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let end = offset + text.utf8CodeUnitCount
        guard end <= bytes.count, bytes[offset..<end].elementsEqual("\(text)".utf8) else {
            throw error("a value is expected")
        }
        offset = end
        return value
    }
}
