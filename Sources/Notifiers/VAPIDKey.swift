import Crypto
public import Foundation
import Registry
import RegistryAPI

/// The key by which push services know this registry (RFC 8292). Browsers bind their subscriptions to it: with another
/// one all of them are lost.
public struct VAPIDKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// A new key.
    public init() { key = P256.Signing.PrivateKey() }

    private struct Document: Codable {
        var format: Int
        /// 32 bytes, in Base64.
        var privateKey: Data
    }

    /// Why a file is no such key.
    public struct FormatError: Error, CustomStringConvertible {
        public let description = "it is not a key file for Web Push of this program"
    }

    /// Reads what ``encoded()`` wrote.
    public init(decoding data: Data) throws(FormatError) {
        guard let document = try? JSONDecoder().decode(Document.self, from: data), document.format == 1,
            let key = try? P256.Signing.PrivateKey(rawRepresentation: document.privateKey)
        else { throw FormatError() }
        self.key = key
    }

    /// JSON; it holds the private key.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Document(format: 1, privateKey: key.rawRepresentation))
    }

    /// What a browser subscribes with (`applicationServerKey`): the uncompressed point in Base64 for URLs.
    public var publicKey: String { key.publicKey.x963Representation.base64URL }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String
    }

    /// The value of `Authorization` for an endpoint; it is valid for 12 hours of the at most 24.
    ///
    /// - Parameter contact: whom the service's operators ask, a `mailto:` or `https:` URL.
    func authorization(for endpoint: String, contact: String, at time: Timestamp) throws -> String {
        let claims = Claims(
            aud: Self.origin(of: endpoint), exp: time.milliseconds / 1000 + 12 * 3600, sub: contact
        )
        let token = try JSONWebToken.signed(header: ["typ": "JWT"], claims: claims, by: key)
        return "vapid t=\(token), k=\(publicKey)"
    }

    /// Scheme, host and port.
    static func origin(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/").lowercased()
    }
}
