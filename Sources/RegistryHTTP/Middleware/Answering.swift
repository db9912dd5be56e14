import HTTPTypes
import Hummingbird

/// What every answer gets, whoever makes it: an error becomes a problem, the answer gets its security headers, its line
/// in the log and its place in the metrics.
struct Answering: RouterMiddleware {
    let log: AccessLog
    let problems: ProblemMiddleware
    /// Whether the server speaks TLS itself.
    let isTLS: Bool

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        try await answer(request, context, route: context.endpointPath, next)
    }

    func answer(
        _ request: Request, _ context: RegistryContext, route: String?,
        _ handler: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        try await log.record(request, context, route: route) {
            var response = try await problems.handle(request, context: context, next: handler)
            // Browsers take an answer as data and nothing else, and come back only over TLS.
            response.headers[.xContentTypeOptions] = "nosniff"
            if isTLS { response.headers[.strictTransportSecurity] = "max-age=31536000" }
            return response
        }
    }
}
