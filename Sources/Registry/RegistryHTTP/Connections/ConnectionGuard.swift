import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import RegistryAPI

/// Closes connections of clients that are too slow, and responds to invalid HTTP with a problem. With HTTP/2 it guards
/// one stream, and ``HTTP2ConnectionGuard`` the connection. The time limit of a response runs only while the client
/// reads nothing.
///
/// A connection has at most one timer, and none while the client waits for a response:
/// ten thousand waiting stations need no timers.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The guarded subject.
    enum Subject {
        /// A connection with HTTP/1.1: one request after the other.
        case connection
        /// A stream of HTTP/2: one request.
        case stream
    }

    private let timeouts: ConnectionTimeouts
    private let subject: Subject
    private let logger: Logger
    private var phase: ConnectionPhase
    private var timer = DeadlineTimer()
    private var sending = SendingProgress()
    /// The bytes of the last response's body that were handed over.
    private var responseLength = 0
    /// Whether the connection or stream has ended.
    private var isOver = false
    /// Whether the last response was sent; later input is dropped.
    private var isEnding = false
    /// The refusal of a request that came while earlier ones wait for their responses; later input is dropped.
    private var pending: RequestError?

    init(_ timeouts: ConnectionTimeouts, of subject: Subject = .connection, logger: Logger) {
        self.timeouts = timeouts
        self.subject = subject
        self.logger = logger
        phase = ConnectionPhase(timeouts, at: DeadlineTimer.now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // A stream begins with a complete header.
        guard case .connection = subject else { return }
        phase = ConnectionPhase(timeouts, at: ConnectionStart.end(in: context))
        arm(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    /// Ends the guard: everything that is still to be sent then fails.
    private func stop() {
        isOver = true
        timer.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding, pending == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.isPlain else { return refuse(context, with: .malformedRequest) }
            guard head.isShort else { return refuse(context, with: .headerTooLarge) }
            let length = head.headerFields.text(of: .contentLength).flatMap(Int.init) ?? 0
            phase.headerRead(announcing: length, at: DeadlineTimer.now)
        case .body(let part): phase.bodyReceived(part.readableBytes, at: DeadlineTimer.now)
        case .end: phase.bodyRead(at: DeadlineTimer.now)
        }
        arm(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isEnding else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head:
            phase.beganAnswer()
            responseLength = 0
            context.write(data, promise: promise)
        case .body(let body):
            responseLength += body.readableBytes
            write(body, context, promise)
        case .end: writeEnd(data, context, promise)
        }
        if let pending { refuse(context, with: pending) }
    }

    /// Writes the end of a response. The client of a long one may have it much later.
    private func writeEnd(_ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let isShort = responseLength <= Self.shortResponse
        // Only for a long one it matters when the end has left the buffers.
        let end = isShort ? promise : promise ?? context.eventLoop.makePromise(of: Void.self)
        if !isShort {
            end?.futureResult.assumeIsolated().whenComplete { _ in
                self.phase.sent(at: DeadlineTimer.now)
                self.arm(context)
            }
        }
        phase.answered(isSent: isShort, at: DeadlineTimer.now)
        context.write(data, promise: end)
        arm(context)
    }

    /// The length in bytes of a response that any client can read within the idle time.
    private static let shortResponse = 32 << 10

    /// Writes a part of a response. For a stream, each part counts as progress; for a connection, the kernel knows the
    /// progress.
    private func write(_ body: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        var body = body
        if case .stream = subject {
            while body.readableBytes > ConnectionTimeouts.progress,
                let part = body.readSlice(length: ConnectionTimeouts.progress)
            {
                let written = context.eventLoop.makePromise(of: Void.self)
                written.futureResult.assumeIsolated().whenSuccess { self.phase.tookMore(at: DeadlineTimer.now) }
                context.write(wrapOutboundOut(.body(part)), promise: written)
            }
        }
        context.write(wrapOutboundOut(.body(body)), promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        phase.becameWritable(context.channel.isWritable, at: DeadlineTimer.now)
        if !context.channel.isWritable { sending.begin(on: context.channel) }
        arm(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is LostPlace else { return context.fireUserInboundEventTriggered(event) }
        // Otherwise the call that reads the body has noticed by itself, and responds.
        if phase.isReadingBody, phase.isRefusable { refuseBody(context, with: .placeLost) }
    }

    /// Handles input that the decoder could not parse. In a body, the call that reads it responds.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let refusal = Self.refusal(of: error), !phase.isReadingBody, !isEnding else {
            context.fireErrorCaught(error)
            return
        }
        refuse(context, with: refusal)
    }

    private static func refusal(of error: any Error) -> RequestError? {
        switch error {
        case HTTPParserError.headerOverflow: .headerTooLarge
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection: nil
        case is HTTPParserError, is HTTP1TypeConversionError: .malformedRequest
        default: nil
        }
    }

    /// Refuses a request before any of it has been passed on, and logs it, because nothing else does. Responses to
    /// earlier requests come first: otherwise the client would take the refusal for one of them.
    private func refuse(_ context: ChannelHandlerContext, with refusal: RequestError) {
        guard !phase.isAnswering else {
            pending = refusal
            return
        }
        AccessLog.record(refusal.problem.response.status, in: logger)
        sendLastResponse(context, refusal)
    }

    /// Sets the timer to the next deadline.
    private func arm(_ context: ChannelHandlerContext) {
        guard !isOver, let deadline = phase.deadline else { return }
        timer.arm(deadline.time, on: context.eventLoop) { self.timerFired(context) }
    }

    /// Acts on a deadline that has passed.
    private func timerFired(_ context: ChannelHandlerContext) {
        timer.fired()
        guard let deadline = phase.deadline else { return }
        guard deadline.time <= DeadlineTimer.now else { return arm(context) }
        switch deadline.expiry {
        case .header: context.close(promise: nil)
        case .body: refuseBody(context, with: .tooSlow)
        case .write:
            guard isTaken(context) else { return context.close(promise: nil) }
            phase.tookMore(at: DeadlineTimer.now)
            arm(context)
        }
    }

    /// Whether the client is still reading the response, although nothing was written for a long time.
    private func isTaken(_ context: ChannelHandlerContext) -> Bool {
        switch subject {
        case .connection: sending.hasMore(on: context.channel)
        // A stream waits for its connection, which has its own guard.
        case .stream: context.channel.parent?.isWritable == false
        }
    }

    /// Ends a request whose body is being read.
    private func refuseBody(_ context: ChannelHandlerContext, with error: RequestError) {
        guard phase.isRefusable, !isEnding else { return context.close(promise: nil) }
        sendLastResponse(context, error)
        // The call that reads the body ends with this error, and is logged with it.
        context.fireErrorCaught(error)
    }

    /// Sends the error and stops reading, but discards input for a moment: closing immediately would reset the
    /// connection, and the client might never see the response.
    private func sendLastResponse(_ context: ChannelHandlerContext, _ error: RequestError) {
        isEnding = true
        timer.cancel()
        var head = error.problem.response.head
        // HTTP/2 has no such field (RFC 9113, section 8.2.2).
        if case .connection = subject { head.headerFields[.connection] = "close" }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body = try? JSONBody.encode(error.problem.details) {
            context.write(wrapOutboundOut(.body(body)), promise: nil)
        }
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let end = context.value.writeAndFlush(wrapOutboundOut(.end(nil)))
        // A stream has no half to close: its response says that it has ended.
        if case .connection = subject { end.whenComplete { _ in context.value.close(mode: .output, promise: nil) } }
        context.value.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { context.value.close(promise: nil) }
    }

    /// How long input is discarded after the last response.
    private static let lingering = TimeAmount.seconds(2)
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
