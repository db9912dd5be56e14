extension JSONParser {
    /// A number by the grammar of RFC 8259, section 6: no leading zeros, no plus sign, no NaN.
    mutating func number() throws(JSONSyntaxError) -> JSONValue {
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
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text) else { throw error("not a number", at: start) }
        return .number(double)
    }

    private mutating func takeDigits() -> Bool {
        let start = offset
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        return offset > start
    }

    /// A string, its escapes resolved; it must be valid Unicode, and of so many bytes of UTF-8 at most.
    mutating func string(atMost limit: Int = .max) throws(JSONSyntaxError) -> String {
        let start = offset
        offset += 1
        var content: [UInt8] = []
        while let byte = current {
            guard content.count <= limit else { throw error("more than \(limit) bytes in a field's name", at: start) }
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw error("the string is not valid UTF-8", at: start)
                }
                return text
            case UInt8(ascii: "\\"):
                offset += 1
                try content.append(contentsOf: escape())
            case 0..<0x20:
                throw error("a control character must be escaped")
            default:
                content.append(byte)
                offset += 1
            }
        }
        throw error("the string has no closing quote", at: start)
    }

    /// The bytes of one escape sequence; the backslash has been taken.
    private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
        guard let byte = current else { throw error("the text ends within an escape sequence") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try unicodeEscape()).utf8)
        default: throw error("unknown escape sequence", at: offset - 1)
        }
    }

    /// A scalar from `\uXXXX` or a surrogate pair of two; the first `\u` has been taken.
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
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("four hexadecimal digits are expected")
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }
}
