import Hummingbird
import RegistryRules

/// Passes the secret of a display on to its routes, and limits their calls as ``Authentication`` does: by secret, or by
/// address if the secret is wrong. The store checks the secret in each of its operations.
struct DisplayMiddleware: RouterMiddleware {
    let limiter: RateLimiter
    let sameOrigin: SameOriginCheck

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard let secret = DisplayCookie.secret(in: request.headers) else {
            try limiter.admit(.address, request.head, of: context)
            throw DomainError.displayUnpaired
        }
        try limiter.admit(token: secret.text)
        try sameOrigin.check(request.head)
        var context = context
        context.display = secret
        do {
            return try await next(request, context)
        } catch DomainError.displayUnpaired {
            limiter.forget(token: secret.text)
            try limiter.admit(.address, request.head, of: context)
            try limiter.admit(.wrongTokens, request.head, of: context)
            throw DomainError.displayUnpaired
        }
    }
}

/// The context of a request of a display.
struct DisplayContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let secret: AccessToken

    init(context: RegistryContext) throws {
        guard let secret = context.display else { throw DomainError.displayUnpaired }
        coreContext = context.coreContext
        self.secret = secret
    }
}
