import Hummingbird
import RegistryRules

/// Passes the secret of a share on to the routes that take one, and limits their calls as ``Authentication`` does: by
/// secret, or by address if the secret is wrong. The store checks the secret whenever it reads.
struct ShareMiddleware: RouterMiddleware {
    let limiter: RateLimiter

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard let secret = Self.secret(in: request) else {
            try limiter.admit(.address, request.head, of: context)
            throw DomainError.shareUnknown
        }
        try limiter.admit(token: secret.text)
        var context = context
        context.share = secret.digest
        do {
            return try await next(request, context)
        } catch DomainError.shareUnknown {
            limiter.forget(token: secret.text)
            try limiter.admit(.address, request.head, of: context)
            try limiter.admit(.wrongTokens, request.head, of: context)
            throw DomainError.shareUnknown
        }
    }

    static func secret(in request: Request) -> AccessToken? {
        Authentication.token(in: request).flatMap { AccessToken($0, as: .share) }
    }
}

/// Accepts the secret of a share in place of a token or a session.
struct OwnerOrShareMiddleware: RouterMiddleware {
    let owners: AuthenticationMiddleware
    let shares: ShareMiddleware

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        try await ShareMiddleware.secret(in: request) == nil
            ? owners.handle(request, context: context, next: next)
            : shares.handle(request, context: context, next: next)
    }
}

/// The context of a request with the secret of a share.
struct ShareContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let secret: SecretDigest
    let client: RegistryContext

    init(context: RegistryContext) throws {
        guard let secret = context.share else { throw DomainError.shareUnknown }
        coreContext = context.coreContext
        self.secret = secret
        client = context
    }
}
