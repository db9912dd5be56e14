import HTTPTypes
import Registry

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
        value(named: name, in: headers).flatMap { AccessToken.isSession($0) ? $0 : nil }
    }

    /// The value of a cookie in a request; nil if there is none with this name, or several.
    static func value(named name: String, in headers: HTTPFields) -> String? {
        let values = headers[values: .cookie].flatMap { field in
            field.split(separator: ";").compactMap { pair -> Substring? in
                let pair = pair.drop { $0 == " " || $0 == "\t" }
                guard pair.hasPrefix(name + "=") else { return nil }
                return pair.dropFirst(name.count + 1)
            }
        }
        return values.count == 1 ? values.first.map(String.init) : nil
    }

    /// The field that keeps a session in the browser for as long as it lasts unused.
    static func setting(_ secret: String) -> String {
        "\(name)=\(secret); Max-Age=\(SessionState.lifetime.components.seconds); \(attributes)"
    }

    /// The field that removes a session from the browser.
    static let removing = "\(name)=; Max-Age=0; \(attributes)"
}
