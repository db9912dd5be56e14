import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import RegistryAPI

/// Closes connections of clients that are too slow, and responds to invalid HTTP with a problem.
///
/// A connection has at most one timer, and none while the client waits for a response:
/// ten thousand waiting stations need no timers.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let timeouts: ConnectionTimeouts
    private let logger: Logger
    private var phase: ConnectionPhase
    private var timer: (task: Scheduled<Void>, time: Int64)?
    /// Whether the last response was sent; later input is dropped.
    private var isEnding = false

    init(_ timeouts: ConnectionTimeouts, logger: Logger) {
        self.timeouts = timeouts
        self.logger = logger
        phase = ConnectionPhase(timeouts, at: Self.now)
    }

    private static var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    func handlerAdded(context: ChannelHandlerContext) { arm(context) }

    func handlerRemoved(context: ChannelHandlerContext) { disarm() }

    func channelInactive(context: ChannelHandlerContext) {
        disarm()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.isPlain else { return refuse(context) }
            phase.headerRead(at: Self.now)
        case .body: break
        case .end: phase.bodyRead(at: Self.now)
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
        case .head: phase.beganAnswer()
        case .body: break
        case .end:
            phase.answered(at: Self.now)
            arm(context)
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        phase.becameWritable(context.channel.isWritable, at: Self.now)
        arm(context)
        context.fireChannelWritabilityChanged()
    }

    /// Handles input that the decoder could not parse. If a response is in progress, nothing can be sent before it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let refusal = Self.refusal(of: error), !phase.isAnswering, !isEnding else {
            context.fireErrorCaught(error)
            return
        }
        end(context, with: refusal)
    }

    private static func refusal(of error: any Error) -> RequestError? {
        switch error {
        case HTTPParserError.headerOverflow: .headerTooLarge
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection: nil
        case is HTTPParserError, is HTTP1TypeConversionError: .malformedRequest
        default: nil
        }
    }

    /// Refuses a request before any of it has been passed on.
    private func refuse(_ context: ChannelHandlerContext) {
        // No other response can be sent before one that is in progress.
        if phase.isAnswering { context.close(promise: nil) } else { end(context, with: .malformedRequest) }
    }

    private func arm(_ context: ChannelHandlerContext) {
        guard let deadline = phase.deadline else { return }
        if let timer, timer.time <= deadline.time { return }  // the deadline is checked again when it fires
        timer?.task.cancel()
        let time = NIODeadline.uptimeNanoseconds(UInt64(clamping: deadline.time))
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.look(context) }
        timer = (task, deadline.time)
    }

    private func disarm() {
        timer?.task.cancel()
        timer = nil
    }

    private func look(_ context: ChannelHandlerContext) {
        timer = nil
        guard let deadline = phase.deadline else { return }
        guard deadline.time <= Self.now else { return arm(context) }
        if deadline.expiry == .body, phase.isRefusable, !isEnding {
            end(context, with: .tooSlow)
        } else {
            context.close(promise: nil)
        }
    }

    /// Sends the error and stops reading, but discards input for a moment: closing immediately would reset the
    /// connection, and the client might never see the response.
    private func end(_ context: ChannelHandlerContext, with error: RequestError) {
        isEnding = true
        disarm()
        var head = error.problem.response.head
        AccessLog.record(head.status, in: logger)
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body = try? JSONBody.encode(error.problem.details) {
            context.write(wrapOutboundOut(.body(body)), promise: nil)
        }
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.value.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            context.value.close(mode: .output, promise: nil)
        }
        context.value.eventLoop.assumeIsolated().scheduleTask(in: .seconds(2)) { context.value.close(promise: nil) }
    }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
