/// The limits of a JSON text from a receiver, checked before it is decoded, in one pass over its bytes.
///
/// Foundation's decoder calls itself for each level, and keeps a record of each value. It hashes each key, for which
/// Swift sorts combining marks: the time grows with the square of the number of marks in a key.
package struct JSONLimits: Sendable {
    /// The limit that a text exceeds.
    package enum Excess: Error, Hashable {
        /// The text is nested too deeply, has a key that is too long or not plain ASCII, or is not UTF-8.
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
        self.depth = depth
        self.values = values
        self.key = key
    }

    /// Checks a text. Invalid JSON may pass.
    package func check(_ text: [UInt8]) throws(Excess) {
        var level = 0
        var count = 0
        // The string that was read last, which is a key if a colon follows.
        var stringLength = 0
        var isPlainString = true
        var isInString = false
        var isEscaped = false
        for byte in text {
            // The decoder would read a text with these bytes as UTF-16 or UTF-32.
            guard byte != 0, byte < 0xFE else { throw .form }
            if isInString {
                isInString = byte != UInt8(ascii: "\"") || isEscaped
                guard isInString else { continue }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                stringLength += 1
                isPlainString = isPlainString && byte != UInt8(ascii: "\\") && byte < 0x80
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
                stringLength = 0
                isPlainString = true
            case UInt8(ascii: ":"):
                guard stringLength <= key, isPlainString else { throw .form }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                level += 1
                count += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
            case UInt8(ascii: ","): count += 1
            default: break
            }
            guard level <= depth else { throw .form }
            guard count <= values else { throw .size }
        }
    }
}
