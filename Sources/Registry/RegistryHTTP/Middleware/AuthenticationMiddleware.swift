import HTTPTypes
import Hummingbird
import Operations
import RegistryRules

/// Ends requests without a valid token or session, and passes the principal on to the routes.
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
        context.ceiling = credential.ceiling
        context.token = credential.token
        if credential.session != nil { context.session = credential.token }
        var response = try await next(request, context)
        if credential.isRenewed, response.headers[.setCookie] == nil,
            case .session(let secret)? = Authentication.secret(in: request)
        {
            response.headers[.setCookie] = SessionCookie.setting(secret)
        }
        return response
    }

    /// Checks a request's token or session again.
    @Sendable func recheck(_ request: Request, _ context: RegistryContext) async throws {
        _ = try await authentication.credential(of: request, context, isCounted: false)
    }
}
