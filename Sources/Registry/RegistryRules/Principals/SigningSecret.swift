import FoundationEssentials

/// The secret that signs a webhook's deliveries (Standard Webhooks, “Signature scheme”): 32 random bytes.
///
/// It is stored in the clear, since signing needs it.
public struct SigningSecret: Hashable, Sendable {
    /// The 32 bytes of the secret.
    public let bytes: [UInt8]

    public init(using generator: inout some RandomNumberGenerator) {
        bytes = generator.bytes(32)
    }

    /// A secret as stored.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The secret as `whsec_` and Base64, the format that receivers' libraries accept.
    public var text: String { "whsec_" + Data(bytes).base64EncodedString() }
}
