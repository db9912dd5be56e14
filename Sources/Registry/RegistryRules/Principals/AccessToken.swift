import FoundationEssentials
import Syntax

/// A bearer token: 256 random bits as text. It is shown once and stored as its digest.
public struct AccessToken: Hashable, Sendable {
    public let text: String

    /// Makes a new token; its prefix tells people, and scanners for leaked secrets, what it is.
    public init(for kind: Principal.Kind, using generator: inout some RandomNumberGenerator) {
        text = Self.prefix(of: kind) + Data(generator.bytes(32)).base64URL
    }

    /// Makes the secret of a session, which is accepted in a cookie only.
    package init(forSession _: Void, using generator: inout some RandomNumberGenerator) {
        text = Self.sessionPrefix + Data(generator.bytes(32)).base64URL
    }

    /// Makes the secret of an operator's session, which is accepted only in the cookie for operators.
    package init(forDesk _: Void, using generator: inout some RandomNumberGenerator) {
        text = Self.deskPrefix + Data(generator.bytes(32)).base64URL
    }

    /// Accepts a text only if it has the form of the secret of an operator's session. No other initialiser accepts this
    /// form, so the secret can never be used as a token.
    public init?(desk text: String) {
        guard text.begins(with: Self.deskPrefix), text.utf8.count == Self.deskPrefix.utf8.count + 43 else { return nil }
        self.text = text
    }

    /// Makes the secret of a link to a search, which does not authenticate a caller.
    package init(forShare _: Void, using generator: inout some RandomNumberGenerator) {
        text = Self.sharePrefix + Data(generator.bytes(32)).base64URL
    }

    /// Makes the secret of a display, which is accepted in its own cookie only.
    package init(forDisplay _: Void, using generator: inout some RandomNumberGenerator) {
        text = Self.displayPrefix + Data(generator.bytes(32)).base64URL
    }

    /// Accepts a text only if it has the form of a display's secret, which no other call accepts.
    public init?(display text: String) {
        guard text.begins(with: Self.displayPrefix), text.utf8.count == Self.displayPrefix.utf8.count + 43 else {
            return nil
        }
        self.text = text
    }

    /// Accepts a text only if it has the form of a share's secret. No other initialiser accepts this form, so the
    /// secret can never be used as a token.
    public init?(share text: String) {
        guard text.begins(with: Self.sharePrefix), text.utf8.count == Self.sharePrefix.utf8.count + 43 else {
            return nil
        }
        self.text = text
    }

    /// Accepts a text only if it has the form of a token, so that other texts need no look-up in the database.
    public init?(_ text: String) {
        let prefixes = Principal.Kind.allCases.map(Self.prefix(of:)) + [Self.sessionPrefix]
        let prefix = prefixes.first { text.begins(with: $0) }
        guard let prefix, text.utf8.count == prefix.utf8.count + 43 else { return nil }
        self.text = text
    }

    public var digest: SecretDigest { SecretDigest(of: text) }

    /// Whether a text has the form of a session's secret.
    public static func isSession(_ text: String) -> Bool { text.begins(with: sessionPrefix) }

    private static let sessionPrefix = "fmb_session_"
    private static let deskPrefix = "fmb_desk_"
    private static let sharePrefix = "fmb_share_"
    private static let displayPrefix = "fmb_display_"

    private static func prefix(of kind: Principal.Kind) -> String { "fmb_\(kind.rawValue)_" }
}

extension RandomNumberGenerator {
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}

extension Data {
    /// Base64 in the URL-safe alphabet, without padding (RFC 4648, section 5).
    package var base64URL: String {
        base64EncodedString().replacing(scalars: ["+": "-", "/": "_", "=": ""])
    }
}
