import RegistryAPI
import Syntax

/// A bearer token, or another secret of the same form: a prefix, and 256 random bits as text. It is shown once and
/// stored as its digest.
///
/// The prefix tells people, and scanners for leaked secrets, what it is. A text is only read as what its prefix says, so
/// that a secret of one kind can never be used as one of another.
public struct AccessToken: Hashable, Sendable {
    public let text: String

    public var digest: SecretDigest { SecretDigest(of: text) }

    /// What a secret is that is no token of a principal.
    package enum Secret: String, CaseIterable, Sendable {
        /// The secret of an owner's session, which is accepted in a cookie only.
        case session
        /// The secret of an operator's session, which is accepted only in the cookie for operators.
        case desk
        /// The secret of a link to a search, which does not authenticate a caller.
        case share
        /// The secret of a display, which is accepted in its own cookie only.
        case display
        /// The secret of an invitation to a bike, which does not authenticate a caller.
        case join

        fileprivate var prefix: String { "fmb_\(rawValue)_" }
    }

    /// Makes a new token.
    public init(for kind: Principal.Kind, using generator: inout some RandomNumberGenerator) {
        self.init(prefix: Self.prefix(of: kind), using: &generator)
    }

    /// Makes a new secret.
    package init(_ secret: Secret, using generator: inout some RandomNumberGenerator) {
        self.init(prefix: secret.prefix, using: &generator)
    }

    /// Accepts a text only if it has the form of a token or of the secret of an owner's session, so that other texts
    /// need no look-up in the database.
    public init?(_ text: String) {
        guard let prefix = Self.prefixes.first(where: { text.begins(with: $0) }) else { return nil }
        self.init(text, prefix: prefix)
    }

    private static let prefixes = Principal.Kind.allCases.map(prefix(of:)) + [Secret.session.prefix]

    /// Accepts a text only if it has the form of such a secret.
    package init?(_ text: String, as secret: Secret) { self.init(text, prefix: secret.prefix) }

    /// Whether a text has the form of the secret of an owner's session.
    public static func isSession(_ text: String) -> Bool { text.begins(with: Secret.session.prefix) }

    /// The characters of 256 bits in Base64 without padding.
    private static let secretLength = 43

    private static func prefix(of kind: Principal.Kind) -> String { "fmb_\(kind.rawValue)_" }

    private init(prefix: String, using generator: inout some RandomNumberGenerator) {
        text = prefix + Base64URL(generator.bytes(32)).text
    }

    private init?(_ text: String, prefix: String) {
        guard text.begins(with: prefix), text.utf8.count == prefix.utf8.count + Self.secretLength else { return nil }
        self.text = text
    }
}

extension RandomNumberGenerator {
    /// Random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
