/// Comparison of entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
    /// Whether `If-None-Match` names the tag; weakly compared, as that field asks for.
    static func isNamed(_ tag: String, by field: String?) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { candidate in
            var candidate = candidate.drop(while: \.isWhitespace)
            while candidate.last?.isWhitespace == true { candidate.removeLast() }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == "*" || candidate == tag
        }
    }
}
