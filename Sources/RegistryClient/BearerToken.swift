/// A token as it is sent; it never shows itself, neither in a log nor in a debugger's dump of what holds it.
struct BearerToken: Sendable, CustomStringConvertible, CustomReflectable {
    private let token: String

    init(_ token: String) {
        self.token = token
    }

    /// The value of the `Authorization` header field (RFC 6750, section 2.1).
    var authorization: String { "Bearer \(token)" }

    var description: String { "redacted" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
