import Crypto
import Evidence
import NIOCore
import Syntax

/// Entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
    /// The strong tag of a resource's representation: equal for equal content, however often it changed in between.
    static func of(_ content: ByteBuffer) -> String {
        let hash = SHA256.hash(data: content.readableBytesView).withUnsafeBytes { Array($0.prefix(8)) }
        return "\"" + Hexadecimal.text(hash) + "\""
    }

    /// Whether `If-None-Match` names the tag, by the weak comparison that this field requires.
    ///
    /// - Parameters:
    ///   - tag: a strong tag with its quotes.
    ///   - field: nil if the request does not have the field.
    static func isNamed(_ tag: String, by field: String?) -> Bool {
        guard let field else { return false }
        if field == tag { return true }
        return field.split(at: ",").contains { candidate in
            let candidate = candidate.trimming(scalars: \.isBlank)
            return candidate == "*" || (candidate.dropping(prefix: "W/") ?? candidate) == tag
        }
    }

    /// Whether `If-Match` names the tag, by the strong comparison that this field requires.
    static func isMatched(_ tag: String, by field: String) -> Bool {
        field.split(at: ",").contains { candidate in
            let candidate = candidate.trimming(scalars: \.isBlank)
            return candidate == "*" || candidate == tag
        }
    }
}
