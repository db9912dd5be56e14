import Crypto
import Foundation
public import RegistryAPI
public import RegistryRules

/// Signatures of the Standard Webhooks specification 1.0.0, using the symmetric scheme `v1`.
public enum StandardWebhooks {
    /// The header fields that sign a message: `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    ///
    /// - Parameters:
    ///   - id: the message's identifier, the same on each attempt, so that the receiver can drop duplicates.
    ///   - time: the time of this attempt.
    ///   - body: the body exactly as it is sent.
    public static func headers(
        id: String, time: Timestamp, body: [UInt8], secret: SigningSecret
    ) -> [(name: String, value: String)] {
        let seconds = String(time.milliseconds / 1000)
        let signed = Array("\(id).\(seconds).".utf8) + body
        let key = SymmetricKey(data: secret.bytes)
        let signature = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        return [("webhook-id", id), ("webhook-timestamp", seconds), ("webhook-signature", "v1,\(signature)")]
    }
}
