import FoundationEssentials

/// The secret that signs a webhook's deliveries (Standard Webhooks, “Signature scheme”): 32 random bytes.
///
/// Kept in the clear, since signing needs it.
public struct SigningSecret: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(using generator: inout some RandomNumberGenerator) {
        bytes = generator.bytes(32)
    }

    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// `whsec_` and Base64, the form that receivers' libraries take.
    public var text: String { "whsec_" + Data(bytes).base64EncodedString() }
}
