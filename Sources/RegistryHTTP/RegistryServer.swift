import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Serves the registry over HTTP, and lets services run beside it.
///
/// Hummingbird's `Application` does the same and keeps 2 kB more of each request that waits: its own copies, and a
/// task-local logger.
struct RegistryServer: Service {
    let responder: WaitingResponder
    let builder: HTTPServerBuilder
    let configuration: ServerConfiguration
    /// Stopped after the server.
    let services: [any Service]
    let onServerRunning: @Sendable (any Channel) async -> Void
    let logger: Logger
    private let date = DateField()

    func run() async throws {
        let server = try builder.buildServer(
            configuration: configuration, eventLoopGroup: EventLoopGroupProvider.singleton.eventLoopGroup,
            logger: logger, responder: answer, onServerRunning: onServerRunning
        )
        try await ServiceGroup(configuration: .init(services: services + [server], logger: logger)).run()
    }

    @Sendable private func answer(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let response = try await responder.respond(to: WaitingResponder.Question(request, context(of: channel)))
        try await write(response, to: writer)
    }

    @inline(never)
    private func write(_ response: Response, to writer: consuming ResponseWriter) async throws {
        var head = response.head
        head.headerFields[.date] = date.current
        try await writer.write(response: head, body: response.body)
    }

    private func context(of channel: any Channel) -> RegistryContext {
        var logger = logger
        logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
        return RegistryContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
    }
}

extension RegistryServer: CustomStringConvertible {
    /// The service's name in the log.
    var description: String { "HTTP server" }
}
