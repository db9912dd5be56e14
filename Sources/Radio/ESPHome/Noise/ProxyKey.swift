import Crypto
import Foundation

/// The secret that a proxy and its clients share: `api: encryption: key:` in the proxy's settings.
public struct ProxyKey: Sendable {
    /// In bytes.
    private static let length = 32
    /// In bytes, more than the 44 characters that ESPHome writes.
    private static let longestText = 64

    let key: SymmetricKey

    /// Parses the text of a key; nil if it is not the Base64 of 32 bytes.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longestText, let data = Data(base64Encoded: text), data.count == Self.length
        else { return nil }
        key = SymmetricKey(data: data)
    }
}
