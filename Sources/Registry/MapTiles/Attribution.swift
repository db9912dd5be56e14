import Syntax

/// The line that names a map's makers.
public enum Attribution {
    /// The maximum length in characters; longer lines would cover the map of a phone.
    public static let maximumLength = 200

    /// Plain text from a text with HTML tags, which MBTiles often have: no tags, the common entities as characters, no
    /// line breaks, and at most ``maximumLength``.
    public static func plain(_ html: String) -> String {
        var text = withoutTags(html)
        for (entity, character) in entities { text = text.replacing(text: entity, with: character) }
        let words = text.unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        return String(words.map { String($0) }.joined(separator: " ").prefix(maximumLength))
    }

    /// The number of scalars that are read: enough for a line with several links.
    private static let readLength = 4000

    /// The last one comes last, so that it makes no other entity.
    private static let entities = [
        ("&copy;", "©"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "’"),
        ("&#169;", "©"), ("&amp;", "&"),
    ]

    private static func withoutTags(_ html: String) -> String {
        var shown = String.UnicodeScalarView()
        var isTag = false
        for scalar in html.unicodeScalars.prefix(readLength) {
            switch scalar {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            default: if !isTag { shown.append(scalar) }
            }
        }
        return String(shown)
    }
}
