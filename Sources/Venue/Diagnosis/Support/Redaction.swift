import Syntax

/// Removes confidential content from a text: secrets, and the identities of bikes that were heard.
public struct Redaction: Sendable {
    private let secrets: [String]

    /// - Parameter secrets: the secrets of this machine, removed wherever they occur.
    public init(secrets: [String] = []) {
        // Removing a secret of a few letters would black out half the text, and it is not a real secret.
        self.secrets = secrets.filter { $0.count >= 8 }
    }

    /// The text with a mark in the place of each confidential part.
    public func redacted(_ text: String) -> String {
        var text = text
        for secret in secrets { text = text.replacing(text: secret, with: "[secret]") }
        text = text.replacing(Self.token, with: "[token]")
        text = text.replacing(Self.code, with: "[code]")
        text = text.replacing(Self.identity, with: "[beacon]")
        text = text.replacing(Self.login, with: "://[secret]@")
        text = text.replacing(Self.authorization) { "\($0.output.1)[secret]" }
        return text.replacing(Self.named) { "\($0.output.1)[secret]" }
    }

    /// Tokens of this project.
    private static var token: Regex<Substring> { /fmb_[a-z]+_[A-Za-z0-9_-]{16,}/.matchingSemantics(.unicodeScalar) }

    /// The user and the password in a URL.
    private static var login: Regex<Substring> { /:\/\/[^\/\s@]+@/.matchingSemantics(.unicodeScalar) }

    /// Codes in the registry's format for people to read out.
    private static var code: Regex<Substring> {
        /\b[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){3}\b/.ignoresCase().matchingSemantics(.unicodeScalar)
    }

    /// Identities in the form UUID:major:minor.
    private static var identity: Regex<Substring> {
        /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}:[0-9]+:[0-9]+/.ignoresCase().matchingSemantics(.unicodeScalar)
    }

    /// Credentials in a header of HTTP.
    private static var authorization: Regex<(Substring, Substring)> {
        /(\b(?:Bearer|Basic) +)[A-Za-z0-9._~+\/=-]{8,}/.ignoresCase().matchingSemantics(.unicodeScalar)
    }

    /// Named secrets: `password: x`, `"secret":"x"`, `?key=x`.
    private static var named: Regex<(Substring, Substring)> {
        /(\b(?:password|passwd|passphrase|psk|secret|token|api_?key|key)["']?\s*[:=]\s*)[^\s\[&,}]+/
            .ignoresCase().matchingSemantics(.unicodeScalar)
    }
}
