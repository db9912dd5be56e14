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
