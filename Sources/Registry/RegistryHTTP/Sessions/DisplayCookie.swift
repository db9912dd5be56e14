import HTTPTypes
import RegistryAPI
import RegistryRules

/// The cookie with a display's secret; see ``SessionCookie`` for its attributes.
enum DisplayCookie {
    static let name = "__Host-display"
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    static func secret(in headers: HTTPFields) -> AccessToken? {
        CookieField.value(of: name, in: headers).flatMap(AccessToken.init(display:))
    }

    /// The field that keeps the display in the browser for as long as it lasts unused.
    static func setting(_ secret: String) -> String {
        "\(name)=\(secret); Max-Age=\(DisplayRules.lifetime.components.seconds); \(attributes)"
    }
}
