import Beacons

extension JSONLexer {
    /// Consumes a number by the grammar of RFC 8259, section 6: no leading zeros, no plus sign, no NaN. Returns whether
    /// it is without fraction and exponent.
    mutating func number() throws(JSONSyntaxError) -> Bool {
        let start = offset
        if current == UInt8(ascii: "-") { offset += 1 }
        if current == UInt8(ascii: "0") {
            offset += 1
        } else if !takeDigits() {
            throw error("a digit is expected")
        }
        var isInteger = true
        if current == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            guard takeDigits() else { throw error("a digit is expected after the decimal point") }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isInteger = false
            offset += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
            guard takeDigits() else { throw error("a digit is expected in the exponent") }
        }
        guard offset - start <= Self.maximumNumberLength else { throw error("the number is too long", at: start) }
        return isInteger
    }

    /// Consumes digits; returns whether there were any.
    private mutating func takeDigits() -> Bool {
        let start = offset
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(current) { offset += 1 }
        return offset > start
    }

    /// Consumes a string with its quotes, which must be valid Unicode. Returns whether it has escape sequences.
    mutating func string() throws(JSONSyntaxError) -> Bool {
        let start = offset
        var isEscaped = false
        var isASCII = true
        var index = offset + 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { break }
            if byte < 0x20 { throw error("a control character must be escaped", at: index) }
            if byte >= 0x80 { isASCII = false }
            index += 1
            if byte == UInt8(ascii: "\\") {
                isEscaped = true
                offset = index
                _ = try escape()
                index = offset
            }
        }
        offset = index
        guard offset < bytes.count else { throw error("the string has no closing quote", at: start) }
        guard isASCII || String(validating: bytes[(start + 1)..<offset], as: UTF8.self) != nil else {
            throw error("the string is not valid UTF-8", at: start)
        }
        offset += 1
        return isEscaped
    }

    /// The bytes up to a closing quote, with escape sequences resolved.
    mutating func unescaped(to end: Int) throws(JSONSyntaxError) -> [UInt8] {
        var content: [UInt8] = []
        while offset < end {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\\") {
                content.append(contentsOf: String(try escape()).utf8)
            } else {
                content.append(byte)
            }
        }
        return content
    }

    /// The scalar of an escape sequence, after the backslash has been consumed.
    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard offset < bytes.count else { throw error("the text ends within an escape sequence") }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw error("unknown escape sequence", at: offset - 1)
        }
    }

    /// A scalar from `\uXXXX` or a surrogate pair of two, after the first `\u` has been consumed.
    private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = offset
        let first = try fourHexadecimalDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { throw error("half of a surrogate pair", at: start) }
        offset += 2
        let second = try fourHexadecimalDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error("half of a surrogate pair", at: start) }
        return scalar
    }

    private mutating func fourHexadecimalDigits() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard offset < bytes.count, let digit = hexadecimalValue(bytes[offset]) else {
                throw error("four hexadecimal digits are expected")
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }
}
