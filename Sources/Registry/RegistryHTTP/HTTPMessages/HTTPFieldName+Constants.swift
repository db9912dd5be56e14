import HTTPTypes
import RegistryAPI

// Header fields that HTTPTypes has no names for.
extension HTTPField.Name {
    /// The instance manipulations that a client accepts (RFC 3229, section 10.5.3).
    static let aIM = constant("A-IM")
    /// The instance manipulations that were applied to a response (RFC 3229, section 10.5.2).
    static let iM = constant("IM")
    /// HTML, “Cross-origin opener policies”.
    static let crossOriginOpenerPolicy = constant("Cross-Origin-Opener-Policy")
    static let idempotencyKey = constant("Idempotency-Key")
    /// HTML, section 9.2.4: the last event that a client of an event stream received.
    static let lastEventID = constant("Last-Event-ID")
    /// RFC 8288.
    static let link = constant("Link")
    /// W3C, “Permissions Policy”.
    static let permissionsPolicy = constant("Permissions-Policy")
    /// RFC 7240.
    static let prefer = constant("Prefer")
    static let recoveryCode = constant(RecoveryCodeField.name)
    /// W3C, “Referrer Policy”.
    static let referrerPolicy = constant("Referrer-Policy")
    static let requestID = constant("X-Request-Id")
    /// W3C, “Fetch Metadata Request Headers”.
    static let secFetchSite = constant("Sec-Fetch-Site")
    /// nginx’s field; `no` turns off the buffering of a response.
    static let xAccelBuffering = constant("X-Accel-Buffering")
    /// What search engines may do with a resource.
    static let xRobotsTag = constant("X-Robots-Tag")

    /// A name that is written in the source, so that it is valid: the initializer refuses only text that is not a token
    /// (RFC 9110, section 5.1). The other name is never used; it avoids a trap.
    private static func constant(_ text: String) -> Self { Self(text) ?? .server }
}
