/// What a JSON text of a receiver may have, checked before it is decoded, in one pass over its bytes.
///
/// Foundation's decoder calls itself for each level, and keeps a record of each value. It hashes each key, for which
/// Swift sorts combining marks: in a key of many marks this takes the square of their number.
package struct JSONLimits: Sendable {
    package enum Excess: Error, Hashable {
        /// Nested too deeply, a key that is none of those that are expected, or not UTF-8.
        case form
        /// Too many values.
        case size
    }

    private let depth: Int
    private let values: Int
    private let key: Int

    /// - Parameters:
    ///   - depth: the deepest nesting of brackets.
    ///   - values: the most values, in all brackets together.
    ///   - key: the longest key in bytes. A key must also be ASCII without escapes.
    package init(depth: Int, values: Int, key: Int) {
        (self.depth, self.values, self.key) = (depth, values, key)
    }

    /// Checks a text. One that breaks JSON's rules may pass.
    package func check(_ text: [UInt8]) throws(Excess) {
        var (level, count) = (0, 0)
        var string = (length: 0, isPlain: true)
        var isInString = false
        var isEscaped = false
        for byte in text {
            // The decoder would take a text with such bytes for UTF-16 or UTF-32.
            guard byte != 0, byte < 0xFE else { throw .form }
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
                guard string.length <= key, string.isPlain else { throw .form }
            case UInt8(ascii: "{"), UInt8(ascii: "["): (level, count) = (level + 1, count + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
            case UInt8(ascii: ","): count += 1
            default: break
            }
            guard level <= depth else { throw .form }
            guard count <= values else { throw .size }
        }
    }
}
