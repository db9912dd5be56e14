import HTTPTypes
import Hummingbird
import Logging

/// Writes one line for each request, and names the request in its answer.
///
/// The route's pattern stands for the path, without query and identifiers: tokens are never in a URL here, but people
/// paste them into every field.
struct AccessLogMiddleware: RouterMiddleware {
    let metrics: RequestMetrics

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        if !context.wait.isOver { metrics.began(request.method, context.endpointPath) }
        var response: Response
        do {
            response = try await next(request, context)
        } catch let parked as ParkedQuestion {
            // It comes again.
            throw parked
        } catch {
            metrics.ended(
                request.method, context.endpointPath, status: 499, after: context.start.duration(to: .now)
            )
            throw error
        }
        response.headers[Self.requestID] = context.requestID
        let duration = context.start.duration(to: .now)
        metrics.ended(request.method, context.endpointPath, status: response.status.code, after: duration)
        context.logger.log(
            level: Self.level(for: context.endpointPath),
            "request",
            metadata: [
                "method": "\(request.method.rawValue.prefix(16))", "route": "\(context.endpointPath ?? "-")",
                "status": "\(response.status.code)", "ms": "\(Int((duration / .milliseconds(1)).rounded()))",
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
