import HTTPTypes
package import Hummingbird
package import Logging
import NIOCore
package import Operations
import RegistryRules
import Syntax

extension RegistryHTTPServer {
    /// The server of `/metrics`, on a separate address that only the operator's network can reach.
    ///
    /// - Parameter onListening: called with the actual address once connections are accepted.
    package static func buildMetricsApplication(
        operations: RegistryOperations, options: ServerOptions, host: String, port: Int, logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router(context: RegistryContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware(calls: CallTable(), limiter: nil))
        router.get("/metrics") { _, context in
            var statistics: RegistryStatistics?
            do {
                statistics = try await operations.statistics()
            } catch {
                context.logger.error("statistics unavailable", metadata: ["reason": "\(error)"])
            }
            let text = options.metrics.text(statistics)
            return Response.body(ByteBuffer(string: text), PrometheusText.mediaType + "; charset=utf-8", headers: [:])
        }
        return Application(
            router: router,
            server: server(options, tls: nil, logger: logger),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in
                if let address = channel.localAddress { await onListening(address) }
            },
            logger: logger
        )
    }
}
