import Crypto
import Foundation
public import RegistryAPI
import Syntax

/// Signatures of the Standard Webhooks specification 1.0.0, using the symmetric scheme `v1`.
public enum StandardWebhooks {
    /// A signing secret: random bytes, written as `whsec_` and Base64.
    public struct Secret: Sendable {
        private static let prefix = "whsec_"
        let key: SymmetricKey

        /// Makes a new secret of 256 bits.
        public init() {
            key = SymmetricKey(size: .bits256)
        }

        /// Parses a secret; nil if the text is invalid or does not have 24 to 64 bytes.
        public init?(_ text: String) {
            guard let code = text.dropping(prefix: Self.prefix), let bytes = Data(base64Encoded: String(code)),
                (24...64).contains(bytes.count)
            else { return nil }
            key = SymmetricKey(data: bytes)
        }

        /// The secret as a receiver enters it: `whsec_` and Base64.
        public var text: String {
            Self.prefix + key.withUnsafeBytes { Data($0) }.base64EncodedString()
        }
    }

    /// The header fields that sign a message: `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    ///
    /// - Parameters:
    ///   - id: the message's identifier, the same on each attempt, so that the receiver can drop duplicates.
    ///   - time: the time of this attempt.
    ///   - body: the body exactly as it is sent.
    public static func headers(
        id: String, time: Timestamp, body: [UInt8], secret: Secret
    ) -> [(name: String, value: String)] {
        let seconds = String(time.milliseconds / 1000)
        let signed = Array("\(id).\(seconds).".utf8) + body
        let signature = Data(HMAC<SHA256>.authenticationCode(for: signed, using: secret.key)).base64EncodedString()
        return [("webhook-id", id), ("webhook-timestamp", seconds), ("webhook-signature", "v1,\(signature)")]
    }
}
