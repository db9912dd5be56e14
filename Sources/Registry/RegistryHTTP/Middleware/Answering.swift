import HTTPTypes
import Hummingbird

/// Completes every response: turns an error into a problem, adds the security headers, logs the request and counts it.
struct Answering: RouterMiddleware {
    let log: AccessLog
    let problems: ProblemMiddleware
    /// Whether the server itself uses TLS.
    let isTLS: Bool

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        try await answer(request, context, route: context.endpointPath, next)
    }

    /// Completes the response that a handler makes, also for responders other than the router.
    ///
    /// - Parameter route: the pattern of the path, for the log and the metrics; nil for a path that is not served.
    func answer(
        _ request: Request, _ context: RegistryContext, route: String?,
        _ handler: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        let start = log.begin(request, route: route)
        var response: Response
        do {
            response = try await handler(request, context)
        } catch {
            do {
                response = try problems.answer(to: error, request, context)
            } catch {
                log.abandon(request, route: route, since: start)
                throw error
            }
        }
        // Make browsers treat a response only as data of its media type, and connect only over TLS from then on.
        response.headers[.xContentTypeOptions] = "nosniff"
        if isTLS { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        log.end(request, context, route: route, since: start, &response)
        return response
    }
}
