import Crypto
public import Foundation
import Registry
import RegistryAPI

/// The key that identifies this registry to push services (RFC 8292). Browsers bind their subscriptions to it: with a
/// new key, all subscriptions are lost.
public struct VAPIDKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// Makes a new key.
    public init() { key = P256.Signing.PrivateKey() }

    private struct Document: Codable {
        var format: Int
        /// The 32 bytes of the private key, in Base64.
        var privateKey: Data
    }

    /// The reason why a file is not a VAPID key.
    public struct FormatError: Error, CustomStringConvertible {
        public let description = "it is not a Web Push key file of this program"
    }

    /// Reads a key written by ``encoded()``.
    public init(decoding data: Data) throws(FormatError) {
        guard let document = try? JSONDecoder().decode(Document.self, from: data), document.format == 1,
            let key = try? P256.Signing.PrivateKey(rawRepresentation: document.privateKey)
        else { throw FormatError() }
        self.key = key
    }

    /// The key as JSON, including the private key.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Document(format: 1, privateKey: key.rawRepresentation))
    }

    /// The key with which a browser subscribes (`applicationServerKey`): the uncompressed point in URL-safe Base64.
    public var publicKey: String { key.publicKey.x963Representation.base64URL }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String
    }

    /// The value of `Authorization` for an endpoint, valid for 12 hours; the RFC allows at most 24.
    ///
    /// - Parameter contact: a `mailto:` or `https:` URL where the service's operators
    ///   can reach this registry's operator.
    func authorization(for endpoint: String, contact: String, at time: Timestamp) throws -> String {
        let claims = Claims(
            aud: Self.origin(of: endpoint), exp: time.milliseconds / 1000 + 12 * 3600, sub: contact
        )
        let token = try JSONWebToken.signed(header: ["typ": "JWT"], claims: claims, by: key)
        return "vapid t=\(token), k=\(publicKey)"
    }

    /// The scheme, host and port of a URL.
    static func origin(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/").lowercased()
    }
}
