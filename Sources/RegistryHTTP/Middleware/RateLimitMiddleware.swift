import HTTPTypes
import Hummingbird
import Registry

/// Limits the calls that anyone may make: by the client's address, some more strictly.
struct AddressLimitMiddleware: RouterMiddleware {
    let limiter: RateLimiter

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        try limiter.admit(.address, request.head, of: context)
        if request.method == .post, let kind = context.endpointPath.flatMap(RateLimits.stricter(for:)) {
            try limiter.admit(kind, request.head, of: context)
        }
        return try await next(request, context)
    }
}

/// Limits the calls that need a token: by token, and those without a valid one by address.
///
/// Stands around authentication. A valid token is never refused for what others at its address do: a thief in the
/// café's network must not be able to silence the café's station.
struct TokenLimitMiddleware: RouterMiddleware {
    let limiter: RateLimiter

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard let token = AuthenticationMiddleware.token(in: request) else {
            try limiter.admit(.address, request.head, of: context)
            return try await next(request, context)
        }
        if !context.wait.isOver { try limiter.admit(token: token) }
        do {
            return try await next(request, context)
        } catch DomainError.unauthenticated {
            limiter.forget(token: token)
            try limiter.admit(.address, request.head, of: context)
            try limiter.admit(.wrongTokens, request.head, of: context)
            throw DomainError.unauthenticated
        }
    }
}
