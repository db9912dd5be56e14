import HTTPTypes
import Hummingbird
import Logging

/// Writes one line for each request, and names the request in its answer.
///
/// The route's pattern stands for the path, without query and identifiers: tokens are never in a URL here, but people
/// paste them into every field.
struct AccessLogMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        var response = try await next(request, context)
        response.headers[Self.requestID] = context.requestID
        let milliseconds = start.duration(to: clock.now) / .milliseconds(1)
        context.logger.log(
            level: Self.level(for: context.endpointPath),
            "request",
            metadata: [
                "method": "\(request.method.rawValue.prefix(16))", "route": "\(context.endpointPath ?? "-")",
                "status": "\(response.status.code)", "ms": "\(Int(milliseconds.rounded()))",
            ]
        )
        return response
    }

    /// Probes come every few seconds, and after each change of the missing list all stations at once.
    private static func level(for route: String?) -> Logger.Level {
        route == "/livez" || route == "/readyz" || route == "/v1/missing" ? .debug : .info
    }

    private static let requestID = HTTPField.Name("X-Request-Id") ?? .server
}
