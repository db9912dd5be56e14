import Crypto
public import Foundation
import RegistryAPI
import RegistryRules
import Syntax

/// The key that identifies this registry to push services (RFC 8292). Browsers bind their subscriptions to it: with a
/// new key, all subscriptions are lost.
public struct VAPIDKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// Makes a new key.
    public init() { key = P256.Signing.PrivateKey() }

    private struct Document: Codable {
        /// Always 1.
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

    /// The public key that a browser needs to subscribe (`applicationServerKey`): the uncompressed point in URL-safe
    /// Base64.
    public var publicKey: String { Base64URL(key.publicKey.x963Representation).text }

    /// Whether push services accept this as the contact (RFC 8292, section 2.1): `mailto:` with an address, or an https
    /// URL. Apple refuses all messages with any other contact, and with a contact at a name that is not public, such as
    /// localhost.
    public static func isContact(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count <= 2048, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        if let address = text.dropping(prefix: "mailto:").map(String.init) {
            return MailAddress.isUsable(address) && isPublic(MailAddress.domain(of: address))
        }
        guard text.begins(with: "https://"), let components = URLComponents(string: text), let host = components.host,
            components.user == nil, components.password == nil
        else { return false }
        return isPublic(host)
    }

    /// Whether a host is a name of the public DNS, by its form.
    private static func isPublic(_ host: String) -> Bool {
        let labels = host.lowercased().split(at: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, labels.allSatisfy({ !$0.isEmpty }) else { return false }
        // The last part of an address is a number; these names are reserved (RFC 2606, RFC 6762).
        guard last.first?.isLetter == true else { return false }
        return !["localhost", "local", "test", "invalid", "example"].contains(last)
    }

    private struct Claims: Encodable {
        /// The audience: the push service's origin.
        let aud: String
        /// When the token expires, in seconds since the Unix epoch.
        let exp: Int64
        /// The contact.
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

    /// The scheme, host and port of a URL, in lower case.
    static func origin(of url: String) -> String {
        let parts = url.split(at: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/").lowercased()
    }
}
