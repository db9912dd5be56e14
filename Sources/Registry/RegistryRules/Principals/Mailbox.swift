import Syntax

/// The mailbox of an e-mail address, identified only by a digest; limits of messages apply to a mailbox.
public enum Mailbox {
    /// The digest of the mailbox. Case, a suffix after a plus sign, and dots in the local part are ignored: many
    /// providers ignore them, and a mailbox must not be flooded under a thousand spellings.
    public static func digest(of address: String) -> SecretDigest {
        let address = address.lowercased()
        guard let at = address.unicodeScalars.lastIndex(of: "@") else { return SecretDigest(of: address) }
        let local = address[..<at].part(beforeScalar: { $0 == "+" }).replacing(scalars: [".": ""])
        return SecretDigest(of: local + address[at...])
    }
}
