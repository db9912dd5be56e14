import Crypto
import Foundation
import Syntax

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
        let signed = parts.map(\.base64URL).joined(separator: ".")
        let signature = try key.signature(for: Data(signed.utf8))
        return "\(signed).\(signature.rawRepresentation.base64URL)"
    }
}

extension Data {
    /// Base64 in the URL-safe alphabet, without padding (RFC 4648, section 5).
    var base64URL: String {
        base64EncodedString().replacing(scalars: ["+": "-", "/": "_", "=": ""])
    }

    /// Decodes URL-safe Base64, with or without padding; nil if the text is invalid.
    init?(base64URL text: String) {
        let base64 = text.replacing(scalars: ["-": "+", "_": "/", "=": ""])
        self.init(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
    }
}
