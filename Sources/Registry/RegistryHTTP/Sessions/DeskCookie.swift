import HTTPTypes
import RegistryRules

/// The cookie with the secret of an operator's session, apart from that of an owner: signing out of one does not touch
/// the other.
enum DeskCookie {
    static let name = "__Host-desk"

    /// The secret in a request; nil if there is none of the right form, or several.
    static func secret(in headers: HTTPFields) -> String? {
        CookieField.value(of: name, in: headers).flatMap { AccessToken(desk: $0)?.text }
    }

    /// The field that keeps a session in the browser for as long as it can last.
    static func setting(_ secret: String) -> String {
        "\(name)=\(secret); Max-Age=\(DeskSessionState.lifetime.components.seconds); \(SessionCookie.attributes)"
    }

    /// The field that removes a session from the browser.
    static let removing = "\(name)=; Max-Age=0; \(SessionCookie.attributes)"
}
