import HTTPTypes
import Hummingbird
import Operations
import RegistryRules

/// Authenticates a request by its token or its session, and limits the calls that need one: by token, or by address if
/// there is no valid token.
///
/// A valid token is never refused for what others at its address do: a thief in the café's network must not be able to
/// silence the café's station.
struct Authentication {
    let operations: RegistryOperations
    let limiter: RateLimiter
    let sameOrigin: SameOriginCheck

    /// The secret that a request presents.
    enum Secret {
        /// The token of `Authorization: Bearer …`, which only programs send.
        case token(String)
        /// The session of a cookie, which browsers also send with requests that their user did not intend.
        case session(String)

        /// The secret itself.
        var text: String {
            switch self {
            case .token(let text), .session(let text): text
            }
        }
    }

    /// The credential of a request, which is counted against its limits.
    ///
    /// - Parameter isCounted: false for a request that was counted before it waited.
    /// - Throws: `unauthenticated` or `sessionEnded` without a valid secret; `crossSite` or `wrongMediaType` if another
    ///   site may have sent the request; the limiter's errors.
    func credential(
        of request: Request, _ context: RegistryContext, isCounted: Bool = true
    ) async throws -> Credential {
        guard let secret = Self.secret(in: request) else {
            try limiter.admit(.address, request.head, of: context)
            throw DomainError.unauthenticated
        }
        if isCounted { try limiter.admit(token: secret.text) }
        if case .session = secret { try sameOrigin.check(request.head) }
        guard let credential = try await operations.credential(token: secret.text) else {
            limiter.forget(token: secret.text)
            try limiter.admit(.address, request.head, of: context)
            try limiter.admit(.wrongTokens, request.head, of: context)
            if case .session = secret { throw DomainError.sessionEnded }
            throw DomainError.unauthenticated
        }
        return credential
    }

    /// The secret that a request presents: the token if there is an `Authorization` field, and the session otherwise. A
    /// session's secret is not accepted as a token.
    static func secret(in request: Request) -> Secret? {
        if let field = request.headers.text(of: .authorization) {
            guard let token = token(ofField: field), !AccessToken.isSession(token) else { return nil }
            return .token(token)
        }
        return SessionCookie.secret(in: request.headers).map(Secret.session)
    }

    /// The token of `Authorization: Bearer …`.
    static func token(in request: Request) -> String? {
        request.headers.text(of: .authorization).flatMap(token(ofField:))
    }

    /// The token in the value of that field; the scheme's name is case-insensitive (RFC 9110, section 11.1).
    private static func token(ofField field: String) -> String? {
        let space = UInt8(ascii: " ")
        // Compare bytes: characters would be looked up in Unicode tables one by one.
        guard let end = field.utf8.firstIndex(of: space),
            field.utf8[..<end].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8)
        else { return nil }
        let token = field.utf8[end...].drop { $0 == space }
        return token.contains(space) ? nil : String(token)
    }
}
