import Syntax

/// The line that names a map's makers.
public enum Attribution {
    /// The maximum length in characters; longer lines would cover the map of a phone.
    public static let maximumLength = 200

    /// Plain text from a text with HTML tags, which MBTiles often have: no tags, the common entities as characters, and
    /// no line breaks.
    public static func plain(_ html: String) -> String {
        var shown = String.UnicodeScalarView()
        var isTag = false
        for scalar in html.unicodeScalars.prefix(4000) {
            switch scalar {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            default: if !isTag { shown.append(scalar) }
            }
        }
        var text = String(shown)
        for (entity, character) in [
            ("&copy;", "©"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "’"),
            ("&#169;", "©"), ("&amp;", "&"),
        ] { text = text.replacing(text: entity, with: character) }
        let words = text.unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        return String(words.map { String($0) }.joined(separator: " ").prefix(maximumLength))
    }
}
