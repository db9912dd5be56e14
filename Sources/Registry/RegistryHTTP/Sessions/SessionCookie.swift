import HTTPTypes
import RegistryRules

/// The cookie with a session's secret.
///
/// Its prefix makes browsers accept it only over TLS, from this host itself, for all paths, so that a neighbouring
/// site cannot set one (RFC 6265bis, section 4.1.3.2). Pages cannot read it, and requests from other sites do not
/// carry it.
enum SessionCookie {
    static let name = "__Host-session"
    static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// The secret in a request; nil if there is none of the right form, or several.
    static func secret(in headers: HTTPFields) -> String? {
        CookieField.value(of: name, in: headers).flatMap { AccessToken.isSession($0) ? $0 : nil }
    }

    /// The field that keeps a session in the browser for as long as it lasts unused.
    static func setting(_ secret: String) -> String {
        "\(name)=\(secret); Max-Age=\(SessionState.lifetime.components.seconds); \(attributes)"
    }

    /// The field that removes a session from the browser.
    static let removing = "\(name)=; Max-Age=0; \(attributes)"
}
