import Syntax

/// E-mail addresses that this program accepts (RFC 5321, section 4.1.2, without quoted names and literals).
enum MailAddress {
    /// Whether a text is such an address: ASCII, with a host name of at least two labels.
    static func isUsable(_ text: String) -> Bool {
        let parts = text.split(at: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].utf8.count) else { return false }
        let atoms = parts[0].split(at: ".", omittingEmptySubsequences: false)
        guard atoms.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isAtomCharacter) }) else { return false }
        let labels = parts[1].split(at: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy(isHostLabel)
    }

    /// The part behind the `@`; `localhost` if the address has none.
    static func domain(of address: String) -> String {
        address.split(at: "@").last.map(String.init) ?? "localhost"
    }

    private static func isHostLabel(_ label: Substring) -> Bool {
        guard (1...63).contains(label.count), !label.begins(with: "-"), !label.ends(with: "-") else { return false }
        return label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    private static func isAtomCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+/=?^_`{|}~-".contains(character))
    }
}
