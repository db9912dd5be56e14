import RegistryAPI
import RegistryRules

extension AlertText {
    /// All paragraphs, separated by empty lines.
    var body: String { paragraphs.joined(separator: "\n\n") }

    /// All paragraphs, and the URLs of the links.
    var whole: String {
        (paragraphs + links.map { "\($0.label): \($0.url)" }).joined(separator: "\n\n")
    }
}

extension String {
    /// Makes a message from as much of this text as fits; a cut text ends with an ellipsis.
    ///
    /// - Parameters:
    ///   - limit: the maximum length of the result in bytes. Exceeded only if the message is too long without any text.
    ///   - make: the message with a text.
    func fitting(_ limit: Int, _ make: (String) throws -> [UInt8]) rethrows -> [UInt8] {
        var text = self
        while true {
            let bytes = try make(text)
            let excess = bytes.count - limit
            guard excess > 0, !text.isEmpty else { return bytes }
            // A character usually takes one to four bytes, and the ellipsis three. If this drops too few, it is
            // repeated.
            let dropped = excess / 4 + 4
            let ellipsis = text.count > dropped ? "…" : ""
            text = text.dropLast(dropped) + ellipsis
        }
    }
}
