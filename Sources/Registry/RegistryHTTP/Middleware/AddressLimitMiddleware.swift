import HTTPTypes
import Hummingbird
import RegistryRules

/// Limits the calls that need no token by the client's address, some more strictly.
struct AddressLimitMiddleware: RouterMiddleware {
    let limiter: RateLimiter
    let publicURL: String?
    /// The stricter limit of the call; nil if there is none.
    let kind: RateLimits.Kind?

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        try limiter.admit(.address, request.head, of: context)
        if let kind {
            // Another site must neither use up the limits of its visitors nor act in their name.
            if kind.isFromOpenForms, !request.isOwnForm(of: publicURL) { throw RequestError.crossSite }
            if !kind.isCountedByCall { try limiter.admit(kind, request.head, of: context) }
        }
        return try await next(request, context)
    }
}
