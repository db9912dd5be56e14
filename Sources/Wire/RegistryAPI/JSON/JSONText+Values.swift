extension JSONText {
    /// The bytes of a string, with its escape sequences resolved.
    func characters(_ token: Int) -> ArraySlice<UInt8> {
        let (start, end) = (Int(tokens[token].start), Int(tokens[token].end))
        guard kind(token) == .escapedString else { return bytes[start..<end] }
        var lexer = JSONLexer(bytes, at: start)
        return (try? lexer.unescaped(to: end))?[...] ?? []
    }

    func string(_ token: Int) -> String { String(decoding: characters(token), as: UTF8.self) }

    /// Whether a string equals this name, byte for byte.
    func isName(_ token: Int, _ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        let (start, end) = (Int(tokens[token].start), Int(tokens[token].end))
        guard kind(token) == .string else { return name.withUTF8Buffer { $0.elementsEqual(characters(token)) } }
        guard end - start == count else { return false }
        for index in 0..<count where bytes[start + index] != name.utf8Start[index] { return false }
        return true
    }

    /// A number as an integer; nil if it is not a 64-bit integer.
    func integer(_ token: Int) -> Int64? {
        guard kind(token) == .integer else { return number(token).flatMap { Int64(exactly: $0) } }
        var index = Int(tokens[token].start)
        let end = Int(tokens[token].end)
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        // This many digits cannot overflow.
        guard end - index <= 18 else { return Int64(text(token)) }
        var value: Int64 = 0
        while index < end {
            value = value &* 10 &+ Int64(bytes[index] &- UInt8(ascii: "0"))
            index += 1
        }
        return isNegative ? -value : value
    }

    /// A number as a double, infinite if it exceeds the range; nil if the token is not a number.
    func number(_ token: Int) -> Double? {
        guard kind(token) == .integer || kind(token) == .number else { return nil }
        return shortDecimal(token) ?? Double(text(token))
    }

    /// A number of up to 15 digits without exponent: both its digits and the power of ten are exact doubles, so that
    /// their quotient is the nearest double.
    ///
    /// Nil for any other number.
    private func shortDecimal(_ token: Int) -> Double? {
        var index = Int(tokens[token].start)
        let end = Int(tokens[token].end)
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard end - index <= 16 else { return nil }
        var digits: Int64 = 0
        var fraction: Int?
        while index < end {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                fraction = end - index
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                digits = digits &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
            } else {
                return nil
            }
        }
        guard digits < 1_000_000_000_000_000 else { return nil }
        let value = Double(digits) / Self.powersOfTen[fraction ?? 0]
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// The bytes of a token as they are in the text.
    private func text(_ token: Int) -> String {
        String(decoding: bytes[Int(tokens[token].start)..<Int(tokens[token].end)], as: UTF8.self)
    }

    /// A token as a tree, for callers that do not know its structure.
    func value(_ token: Int = 0) -> JSONValue {
        switch kind(token) {
        case .null: .null
        case .no: .bool(false)
        case .yes: .bool(true)
        case .integer: Int64(text(token)).map(JSONValue.integer) ?? .number(number(token) ?? .infinity)
        case .number: .number(number(token) ?? .infinity)
        case .string, .escapedString: .string(string(token))
        case .array: .array(elements(of: token).map { value($0) })
        case .object:
            .object(Dictionary(members(of: token).map { ($0.name, value($0.value)) }) { first, _ in first })
        }
    }
}
