import HTTPTypes
import Hummingbird

/// Tells browsers that an answer is data and nothing else and, where the server speaks TLS itself, to come back only so.
struct SecurityHeadersMiddleware: RouterMiddleware {
    let isTLS: Bool

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        if isTLS { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }
}
