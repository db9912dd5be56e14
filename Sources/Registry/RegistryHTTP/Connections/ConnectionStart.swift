import NIOCore

/// Closes a connection whose TLS handshake takes too long. It remembers when the connection began, because the time
/// for the first request's header includes the handshake.
final class ConnectionStart: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    let time = DeadlineTimer.now
    private let limit: Duration
    private var timer = DeadlineTimer()

    init(limit: Duration) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
        timer.arm(time + limit.nanoseconds, on: context.eventLoop) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer.cancel()
        context.fireChannelInactive()
    }

    /// Ends the limit; the next handler sets its own.
    func end() { timer.cancel() }

    /// The time at which a connection began, whose next handler sets the limits from now on; now if there was no
    /// handshake.
    static func end(in context: ChannelHandlerContext) -> Int64 {
        guard let start = try? context.pipeline.syncOperations.handler(type: ConnectionStart.self) else {
            return DeadlineTimer.now
        }
        start.end()
        return start.time
    }
}

@available(*, unavailable)
extension ConnectionStart: Sendable {}
