/// What a JSON text from outside may have, checked before it is decoded, in one pass over its bytes.
///
/// Foundation's decoder calls itself for each level, and keeps a record of each value. It hashes each key, for which
/// Swift sorts combining marks: in a key of many marks this takes the square of their number.
struct JSONLimits {
    /// The deepest nesting of brackets.
    let depth: Int
    /// The most values, in all brackets together.
    let values: Int
    /// The longest key in bytes. A key must also be ASCII without escapes.
    let key: Int

    /// Checks a text. One that breaks JSON's rules may pass.
    func check(_ text: [UInt8]) throws(HomeAssistantError) {
        var (level, count) = (0, 0)
        var string = (length: 0, isPlain: true)
        var isInString = false
        var isEscaped = false
        for byte in text {
            // The decoder would take a text with such bytes for UTF-16 or UTF-32.
            guard byte != 0, byte < 0xFE else { throw .malformed }
            if isInString {
                isInString = byte != UInt8(ascii: "\"") || isEscaped
                guard isInString else { continue }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                string.length += 1
                string.isPlain = string.isPlain && byte != UInt8(ascii: "\\") && byte < 0x80
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): (isInString, string) = (true, (0, true))
            case UInt8(ascii: ":"):
                guard string.length <= key, string.isPlain else { throw .malformed }
            case UInt8(ascii: "{"), UInt8(ascii: "["): (level, count) = (level + 1, count + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
            case UInt8(ascii: ","): count += 1
            default: break
            }
            guard level <= depth else { throw .malformed }
            guard count <= values else { throw .tooLarge }
        }
    }
}
