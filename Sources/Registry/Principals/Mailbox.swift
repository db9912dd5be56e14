/// The mailbox that an e-mail address leads to, known by the digest only: what counts as one where messages are limited.
public enum Mailbox {
    /// Letters' case, what follows a plus sign and dots in the local part make no other mailbox: at many providers they
    /// do not, and nobody is to be flooded there under a thousand spellings.
    public static func digest(of address: String) -> SecretDigest {
        let address = address.lowercased()
        guard let at = address.lastIndex(of: "@") else { return SecretDigest(of: address) }
        let local = address[..<at].prefix { $0 != "+" }.filter { $0 != "." }
        return SecretDigest(of: local + address[at...])
    }
}
