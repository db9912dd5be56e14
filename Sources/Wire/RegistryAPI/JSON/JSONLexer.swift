/// Splits one JSON text (RFC 8259) into tokens, strictly and with limited depth, and reports the position of an error.
struct JSONLexer {
    /// The maximum nesting depth of arrays and objects.
    static let maximumDepth = 32
    /// The maximum number of bytes in a number; the longest double in decimal notation has 325.
    static let maximumNumberLength = 400
    /// The maximum number of bytes in a field's name; the contract's longest has 20.
    static let maximumNameLength = 64

    let bytes: [UInt8]
    /// The position of the next byte.
    var offset: Int
    private(set) var tokens: [JSONText.Token] = []

    init(_ bytes: [UInt8], at offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Reads the whole text.
    mutating func text() throws(JSONSyntaxError) {
        guard bytes.count < Int(UInt32.max) else { throw error("the text is too long") }
        // A visit of 450 bytes has about 45 tokens.
        tokens.reserveCapacity(bytes.count / 8 + 1)
        try value(depth: 0)
        skipWhitespace()
        guard offset == bytes.count else { throw error("nothing may follow the value") }
    }

    /// The current byte, or zero, which is invalid in JSON, after the end of the text.
    @inline(__always)
    var current: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    /// - Parameters:
    ///   - reason: what is wrong, in words.
    ///   - position: the position of the error; nil for the next byte.
    func error(_ reason: String, at position: Int? = nil) -> JSONSyntaxError {
        let before = bytes[..<min(position ?? offset, bytes.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        return JSONSyntaxError(line: line, column: before.count - lineStart + 1, reason: reason)
    }

    private mutating func skipWhitespace() {
        while true {
            switch current {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    /// Consumes one byte of punctuation after any whitespace.
    private mutating func take(_ punctuation: Unicode.Scalar) -> Bool {
        skipWhitespace()
        guard current == UInt8(ascii: punctuation) else { return false }
        offset += 1
        return true
    }

    private mutating func append(_ kind: JSONText.Kind, _ start: Int, _ end: Int) {
        tokens.append(
            JSONText.Token(
                kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: tokens.count + 1)))
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) {
        skipWhitespace()
        guard depth <= Self.maximumDepth else { throw error("more than \(Self.maximumDepth) levels of nesting") }
        guard offset < bytes.count else { throw error("the text ends where a value is expected") }
        let start = offset
        switch current {
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""):
            let isEscaped = try string()
            append(isEscaped ? .escapedString : .string, start + 1, offset - 1)
        case UInt8(ascii: "t"): try literal("true", .yes)
        case UInt8(ascii: "f"): try literal("false", .no)
        case UInt8(ascii: "n"): try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let isInteger = try number()
            append(isInteger ? .integer : .number, start, offset)
        default: throw error("a value is expected")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) {
        let object = tokens.count
        append(.object, offset, offset)
        offset += 1
        if !take("}") {
            repeat { try member(depth: depth) } while take(",")
            guard take("}") else { throw error("a comma or a closing brace is expected") }
        }
        close(object)
        try refuseDuplicates(in: object)
    }

    private mutating func member(depth: Int) throws(JSONSyntaxError) {
        skipWhitespace()
        let start = offset
        guard current == UInt8(ascii: "\"") else { throw error("a field's name in quotes is expected") }
        let isEscaped = try string()
        let end = offset - 1
        if end - start - 1 > Self.maximumNameLength {
            var name = JSONLexer(bytes, at: start + 1)
            guard isEscaped, try name.unescaped(to: end).count <= Self.maximumNameLength else {
                throw error("more than \(Self.maximumNameLength) bytes in a field's name", at: start)
            }
        }
        append(isEscaped ? .escapedString : .string, start + 1, end)
        guard take(":") else { throw error("a colon is expected after the field's name") }
        try value(depth: depth + 1)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) {
        let array = tokens.count
        append(.array, offset, offset)
        offset += 1
        if !take("]") {
            repeat { try value(depth: depth + 1) } while take(",")
            guard take("]") else { throw error("a comma or a closing bracket is expected") }
        }
        close(array)
    }

    private mutating func close(_ container: Int) {
        tokens[container].end = UInt32(truncatingIfNeeded: offset)
        tokens[container].next = UInt32(truncatingIfNeeded: tokens.count)
    }

    private mutating func literal(_ text: StaticString, _ kind: JSONText.Kind) throws(JSONSyntaxError) {
        let end = offset + text.utf8CodeUnitCount
        guard end <= bytes.count else { throw error("a value is expected") }
        for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] {
            throw error("a value is expected")
        }
        append(kind, offset, end)
        offset = end
    }
}
