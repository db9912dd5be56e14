import NIOCore
import NIOHTTP2

/// Closes HTTP/2 connections that are idle or whose client reads nothing; the guard of each stream limits the time of
/// its request (``ConnectionGuard``).
///
/// Only complete requests count: neither pings nor a header that never ends keep a connection open.
final class HTTP2ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let timeouts: ConnectionTimeouts
    private var phase: ConnectionPhase
    private var timer = DeadlineTimer()
    private var sending = SendingProgress()
    /// The latest stream that the client has opened.
    private var lastStream = HTTP2StreamID.rootStream
    /// Whether the server stops, so that the connection ends with its last response.
    private var isStopping = false
    private var isClosing = false
    private var context: ChannelHandlerContext?

    init(_ timeouts: ConnectionTimeouts) {
        self.timeouts = timeouts
        phase = ConnectionPhase(timeouts, at: DeadlineTimer.now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        phase = ConnectionPhase(timeouts, at: ConnectionStart.end(in: context))
        arm(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer.cancel()
        context.fireChannelInactive()
    }

    /// Counts a request. Its stream's own guard limits the time of its body, so here it counts as read.
    fileprivate func opened(_ stream: HTTP2StreamID) {
        lastStream = max(lastStream, stream)
        phase.headerRead(at: DeadlineTimer.now)
        phase.bodyRead(at: DeadlineTimer.now)
    }

    /// Counts a response, or a request that was given up.
    fileprivate func closedStream() {
        phase.answered(isSent: true, at: DeadlineTimer.now)
        guard let context else { return }
        guard isStopping, !phase.isAnswering else { return arm(context) }
        // Not within the call that reports the end of the stream: NIOHTTP2 is still handling it.
        context.eventLoop.assumeIsolated().execute { self.close(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isStopping = true
            if phase.isAnswering { sayGoodbye(context) } else { close(context) }
        case let event as ChannelEvent where event == .inputClosed:
            // The client's half is closed: it can send no window updates either, so a response may never end.
            context.close(promise: nil)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        phase.becameWritable(context.channel.isWritable, at: DeadlineTimer.now)
        if !context.channel.isWritable { sending.begin(on: context.channel) }
        arm(context)
        context.fireChannelWritabilityChanged()
    }

    /// Closes the connection after an error of the whole connection, which NIOHTTP2 has reported to the client. A
    /// stream's error was reported to the client by a reset.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is NIOHTTP2Errors.StreamError { return }
        context.close(promise: nil)
    }

    /// Sets the timer to the next deadline.
    private func arm(_ context: ChannelHandlerContext) {
        guard !isClosing, let deadline = phase.deadline else { return }
        timer.arm(deadline.time, on: context.eventLoop) { self.timerFired(context) }
    }

    /// Acts on a deadline that has passed.
    private func timerFired(_ context: ChannelHandlerContext) {
        timer.fired()
        guard let deadline = phase.deadline else { return }
        guard deadline.time <= DeadlineTimer.now else { return arm(context) }
        guard deadline.expiry == .write else { return close(context) }
        guard sending.hasMore(on: context.channel) else { return context.close(promise: nil) }
        phase.tookMore(at: DeadlineTimer.now)
        arm(context)
    }

    /// Informs the client which streams are still served, so that it sends others on a new connection.
    @discardableResult
    private func sayGoodbye(_ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        let goodbye = HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: lastStream, errorCode: .noError, opaqueData: nil))
        return context.writeAndFlush(wrapOutboundOut(goodbye))
    }

    /// Closes the connection once everything before has been sent, or after a moment if the client reads nothing.
    private func close(_ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        timer.cancel()
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        sayGoodbye(context.value).whenComplete { _ in context.value.close(promise: nil) }
        timer.arm(DeadlineTimer.now + Self.grace.nanoseconds, on: context.value.eventLoop) {
            context.value.close(promise: nil)
        }
    }

    /// How long a closing connection may still send.
    private static let grace = Duration.seconds(2)
}

@available(*, unavailable)
extension HTTP2ConnectionGuard: Sendable {}

/// Notifies a connection's guard when streams begin and end.
struct StreamWatch: NIOHTTP2StreamDelegate {
    private let subject: NIOLoopBound<HTTP2ConnectionGuard>
    private let eventLoop: any EventLoop

    init(_ subject: HTTP2ConnectionGuard, on eventLoop: any EventLoop) {
        self.subject = NIOLoopBound(subject, eventLoop: eventLoop)
        self.eventLoop = eventLoop
    }

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) { notify { $0.opened(id) } }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) { notify { $0.closedStream() } }

    private func notify(_ event: @escaping @Sendable (HTTP2ConnectionGuard) -> Void) {
        if eventLoop.inEventLoop { event(subject.value) } else { eventLoop.execute { event(subject.value) } }
    }
}
