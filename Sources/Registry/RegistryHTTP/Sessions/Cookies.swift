import HTTPTypes
import RegistryAPI
import RegistryRules
import Syntax

/// The cookie with a session's secret.
///
/// Its prefix makes browsers accept it only over TLS, from this host itself, for all paths, so that a neighbouring
/// site cannot set one (RFC 6265bis, section 4.1.3.2). Pages cannot read it, and requests from other sites do not
/// carry it.
enum SessionCookie {
    static let name = "__Host-session"
    /// The attributes of all cookies with secrets.
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

/// The cookie with the secret of an operator's session, apart from that of an owner: signing out of one does not touch
/// the other.
enum DeskCookie {
    static let name = "__Host-desk"

    /// The secret in a request; nil if there is none of the right form, or several.
    static func secret(in headers: HTTPFields) -> String? {
        CookieField.value(of: name, in: headers).flatMap { AccessToken($0, as: .desk)?.text }
    }

    /// The field that keeps a session in the browser for as long as it can last.
    static func setting(_ secret: String) -> String {
        "\(name)=\(secret); Max-Age=\(DeskSessionState.lifetime.components.seconds); \(SessionCookie.attributes)"
    }

    /// The field that removes a session from the browser.
    static let removing = "\(name)=; Max-Age=0; \(SessionCookie.attributes)"
}

/// The cookie with a display's secret; see ``SessionCookie`` for its attributes.
enum DisplayCookie {
    static let name = "__Host-display"

    /// The secret in a request; nil if there is none of the right form, or several.
    static func secret(in headers: HTTPFields) -> AccessToken? {
        CookieField.value(of: name, in: headers).flatMap { AccessToken($0, as: .display) }
    }

    /// The field that keeps the display in the browser for as long as it lasts unused.
    static func setting(_ secret: String) -> String {
        "\(name)=\(secret); Max-Age=\(DisplayRules.lifetime.components.seconds); \(SessionCookie.attributes)"
    }
}

/// Cookies in a request's header.
enum CookieField {
    /// The value of a cookie; nil if there is none, or several with this name.
    static func value(of name: String, in headers: HTTPFields) -> String? {
        let values = headers[values: .cookie].flatMap { field in
            field.split(at: ";").compactMap { $0.trimming(scalars: \.isBlank).dropping(prefix: name + "=") }
        }
        return values.count == 1 ? values.first.map(String.init) : nil
    }
}
