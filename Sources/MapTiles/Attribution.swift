/// The line that says who made a map.
public enum Attribution {
    /// The maximum length in characters; longer lines would cover the map of a phone.
    public static let maximumLength = 200

    /// Plain text from a text with HTML tags, which MBTiles often have: no tags, the common entities as characters, and
    /// no line breaks.
    public static func plain(_ html: String) -> String {
        var text = ""
        var isTag = false
        for character in html.prefix(4000) {
            switch character {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            default: if !isTag { text.append(character) }
            }
        }
        for (entity, character) in [
            ("&copy;", "©"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "’"),
            ("&#169;", "©"), ("&amp;", "&"),
        ] { text = text.replacing(entity, with: character) }
        let words = text.unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        return String(words.map { String($0) }.joined(separator: " ").prefix(maximumLength))
    }
}
