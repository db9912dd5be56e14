import HTTPTypes
import Hummingbird
import Registry

/// Finds out whose token a request carries; without a valid one the request ends here.
struct AuthenticationMiddleware: RouterMiddleware {
    let tokens: TokenLookup

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard let token = Self.token(in: request),
            let principal = try await tokens.principal(token: token)
        else { throw DomainError.unauthenticated }
        var context = context
        context.principal = principal
        return try await next(request, context)
    }

    /// The token of `Authorization: Bearer …`; the scheme's name in either case (RFC 9110, section 11.1).
    static func token(in request: Request) -> String? {
        let parts = request.headers[.authorization]?.split(separator: " ", omittingEmptySubsequences: true) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
