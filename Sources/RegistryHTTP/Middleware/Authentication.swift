import HTTPTypes
import Hummingbird
import Registry

/// Authenticates a request by its token, and limits the calls that need one:
/// by token, or by address if there is no valid token.
///
/// A valid token is never refused for what others at its address do: a thief in the café's network must not be able to
/// silence the café's station.
/// silence the café's station.
struct Authentication {
    let operations: RegistryOperations
    let limiter: RateLimiter

    /// - Parameter isCounted: false for a request that was counted before it waited.
    func credential(
        of request: Request, _ context: RegistryContext, isCounted: Bool = true
    ) async throws -> Credential {
        guard let token = Self.token(in: request) else {
            try limiter.admit(.address, request.head, of: context)
            throw DomainError.unauthenticated
        }
        if isCounted { try limiter.admit(token: token) }
        guard let credential = try await operations.credential(token: token) else {
            limiter.forget(token: token)
            try limiter.admit(.address, request.head, of: context)
            try limiter.admit(.wrongTokens, request.head, of: context)
            throw DomainError.unauthenticated
        }
        return credential
    }

    /// The token of `Authorization: Bearer …`; the scheme's name is case-insensitive (RFC 9110, section 11.1).
    static func token(in request: Request) -> String? {
        let space = UInt8(ascii: " ")
        // Compare bytes: characters would be looked up in Unicode tables one by one.
        guard let field = request.headers[.authorization], let end = field.utf8.firstIndex(of: space),
            field.utf8[..<end].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8)
        else { return nil }
        let token = field.utf8[end...].drop { $0 == space }
        return token.contains(space) ? nil : String(token)
    }
}

/// Ends requests without a valid token, and passes the principal on to the routes.
struct AuthenticationMiddleware: RouterMiddleware {
    let authentication: Authentication

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        let credential = try await authentication.credential(of: request, context)
        var context = context
        context.principal = credential.principal
        context.scope = credential.scope
        return try await next(request, context)
    }
}
