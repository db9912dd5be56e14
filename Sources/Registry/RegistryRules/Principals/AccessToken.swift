import RegistryAPI
import Syntax

/// A bearer token, or another secret of the same form: a prefix, and 256 random bits as text. It is shown once and
/// stored as its digest.
///
/// The prefix tells people, and scanners for leaked secrets, what it is. Each initialiser that reads a text accepts
/// other prefixes, so that a secret of one kind can never be used as one of another.
public struct AccessToken: Hashable, Sendable {
    public let text: String

    public var digest: SecretDigest { SecretDigest(of: text) }

    /// The bytes of 256 bits in Base64 without padding.
    private static let secretLength = 43
    private static let sessionPrefix = "fmb_session_"
    private static let deskPrefix = "fmb_desk_"
    private static let sharePrefix = "fmb_share_"
    private static let displayPrefix = "fmb_display_"

    private static func prefix(of kind: Principal.Kind) -> String { "fmb_\(kind.rawValue)_" }

    /// Makes a new secret with a prefix.
    init(prefix: String, using generator: inout some RandomNumberGenerator) {
        text = prefix + Base64URL(generator.bytes(32)).text
    }

    /// Accepts a text only if it has the form of a secret with this prefix.
    init?(_ text: String, prefix: String) {
        guard text.begins(with: prefix), text.utf8.count == prefix.utf8.count + Self.secretLength else { return nil }
        self.text = text
    }
}

// Tokens and the secrets of owners' sessions, which authenticate a caller of the interface.
extension AccessToken {
    /// Makes a new token.
    public init(for kind: Principal.Kind, using generator: inout some RandomNumberGenerator) {
        self.init(prefix: Self.prefix(of: kind), using: &generator)
    }

    /// Makes the secret of a session, which is accepted in a cookie only.
    package init(forSession _: Void, using generator: inout some RandomNumberGenerator) {
        self.init(prefix: Self.sessionPrefix, using: &generator)
    }

    /// Accepts a text only if it has the form of a token or of a session's secret, so that other texts need no look-up
    /// in the database.
    public init?(_ text: String) {
        let prefixes = Principal.Kind.allCases.map(Self.prefix(of:)) + [Self.sessionPrefix]
        guard let prefix = prefixes.first(where: { text.begins(with: $0) }) else { return nil }
        self.init(text, prefix: prefix)
    }

    /// Whether a text has the form of a session's secret.
    public static func isSession(_ text: String) -> Bool { text.begins(with: sessionPrefix) }
}

// Secrets that only their own cookie or link may contain.
extension AccessToken {
    /// Makes the secret of an operator's session, which is accepted only in the cookie for operators.
    package init(forDesk _: Void, using generator: inout some RandomNumberGenerator) {
        self.init(prefix: Self.deskPrefix, using: &generator)
    }

    /// Accepts a text only if it has the form of the secret of an operator's session.
    public init?(desk text: String) { self.init(text, prefix: Self.deskPrefix) }

    /// Makes the secret of a link to a search, which does not authenticate a caller.
    package init(forShare _: Void, using generator: inout some RandomNumberGenerator) {
        self.init(prefix: Self.sharePrefix, using: &generator)
    }

    /// Accepts a text only if it has the form of a share's secret.
    public init?(share text: String) { self.init(text, prefix: Self.sharePrefix) }

    /// Makes the secret of a display, which is accepted in its own cookie only.
    package init(forDisplay _: Void, using generator: inout some RandomNumberGenerator) {
        self.init(prefix: Self.displayPrefix, using: &generator)
    }

    /// Accepts a text only if it has the form of a display's secret.
    public init?(display text: String) { self.init(text, prefix: Self.displayPrefix) }
}

extension RandomNumberGenerator {
    /// Random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
