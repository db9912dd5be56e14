import RegistryAPI

/// The secret in the address of a finder's conversation. It does not authenticate a caller, and opens nothing else.
///
/// It is made with the form, before the finder writes: a message that is sent twice begins only one conversation.
public struct ConversationSecret: Hashable, Sendable {
    /// The 43 characters of 32 bytes in URL-safe Base64.
    public let text: String

    package init(using generator: inout some RandomNumberGenerator) { text = Base64URL(generator.bytes(32)).text }

    /// The secret that follows from another one by a digest.
    package init(_ digest: SecretDigest) { text = Base64URL(digest.bytes).text }

    /// Accepts a text only if it has the form of such a secret.
    public init?(_ text: some StringProtocol) {
        let isSecret = text.utf8.count == 43 && text.utf8.allSatisfy(Self.isAllowed)
        guard isSecret else { return nil }
        self.text = String(text)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    public var digest: SecretDigest { SecretDigest(of: "conversation " + text) }

    /// The digest for a request of somebody who feels followed. It differs from that of a conversation, so that a
    /// secret of one kind opens nothing of the other.
    public var safetyDigest: SecretDigest { SecretDigest(of: "safety " + text) }
}
