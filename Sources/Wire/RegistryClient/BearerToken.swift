/// A token, which appears neither in logs nor in a debugger's dump of the values that contain it.
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
