import Crypto
import Foundation
import RegistryAPI

/// A claim set (RFC 7519) signed with ES256 (RFC 7518, section 3.4), as required by Apple's push service and VAPID.
enum JSONWebToken {
    /// - Parameter header: header parameters in addition to `alg`.
    static func signed(
        header: [String: String], claims: some Encodable, by key: P256.Signing.PrivateKey
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let parts = [
            try encoder.encode(header.merging(["alg": "ES256"]) { $1 }), try encoder.encode(claims),
        ]
        let signed = parts.map { Base64URL($0).text }.joined(separator: ".")
        let signature = try key.signature(for: Data(signed.utf8))
        return "\(signed).\(Base64URL(signature.rawRepresentation).text)"
    }
}
