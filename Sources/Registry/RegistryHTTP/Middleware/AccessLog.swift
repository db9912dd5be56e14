import HTTPTypes
import Hummingbird
import Logging

/// Logs one line for each request, counts it, and adds its identifier to the response.
///
/// The route's pattern is logged in place of the path, without query and identifiers: the API has no tokens in URLs,
/// but people paste them into every field.
struct AccessLog {
    let metrics: RequestMetrics

    /// Counts a request that begins now, and returns this moment.
    ///
    /// - Parameter route: the pattern of the path; nil for a path that is not served.
    func begin(_ request: Request, route: String?) -> ContinuousClock.Instant {
        let start = ContinuousClock.now
        metrics.began(request.method, route)
        return start
    }

    /// Counts the end of a request whose client no longer waits for a response.
    func abandon(_ request: Request, route: String?, since start: ContinuousClock.Instant) {
        metrics.ended(request.method, route, status: Self.clientGone, after: start.duration(to: .now))
    }

    /// Logs a request, counts its end, and adds its identifier to the response.
    func end(
        _ request: Request, _ context: RegistryContext, route: String?, since start: ContinuousClock.Instant,
        _ response: inout Response
    ) {
        response.headers[.requestID] = context.requestID
        let duration = start.duration(to: .now)
        metrics.ended(request.method, route, status: response.status.code, after: duration)
        context.logger.log(
            level: Self.level(for: route, response.status),
            "request",
            metadata: [
                "method": "\(request.method.rawValue.prefix(16))", "route": "\(route ?? "-")",
                "status": "\(response.status.code)", "protocol": context.isStream ? "HTTP/2" : "HTTP/1.1",
                "ms": "\(Int((duration / .milliseconds(1)).rounded()))",
            ]
        )
    }

    /// The status in the metrics for a client that has closed its connection, as nginx counts it.
    private static let clientGone = 499

    /// Logs a request that was refused before it was read, so that it has no route.
    static func record(_ status: HTTPResponse.Status, in logger: Logger) {
        logger.info("request", metadata: ["method": "-", "route": "-", "status": "\(status.code)"])
    }

    /// The log level of a request. Stations and partners send some requests all day: if they succeed, they are only
    /// details, and new sightings have a line of their own. Probes, and stations that wait for the missing list, ask
    /// again whatever the response is.
    private static func level(for route: String?, _ status: HTTPResponse.Status) -> Logger.Level {
        guard let route else { return .info }
        return polled.contains(route) || (sent.contains(route) && status.code < 400) ? .debug : .info
    }

    private static let polled: Set<String> = [
        PublicCalls.probes.live, PublicCalls.probes.ready, MissingListResponder.path,
    ]
    private static let sent: Set<String> = [StationCalls.sightings, StationCalls.heartbeat, PartnerCalls.missingList]
}
