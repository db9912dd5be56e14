import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import OperatingSystem

/// An HTTP/2 connection: each of its streams is one request (RFC 9113).
///
/// Hummingbird's own HTTP/2 channel neither counts streams nor limits the time of an idle or stalled connection.
struct HTTP2Channel: HTTPChannelHandler {
    /// A request, or a stream that is refused because its client has too many.
    struct Stream: Sendable {
        let channel: any Channel
        /// Nil if the stream is refused, like the seat.
        let requests: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>?
        let seat: StreamSeats.Seat?
    }

    struct Value: ServerChildChannelValue {
        let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Stream>
        let channel: any Channel
    }

    let responder: HTTPChannelHandler.Responder
    let timeouts: ConnectionTimeouts
    let seats: StreamSeats

    /// Requests of one connection at a time. A page with its modules and map tiles needs fewer.
    static let concurrentStreams = 64
    /// The size of all header fields of a request in bytes, with 32 for each (RFC 9113, section 6.5.2). NIO's decoder
    /// accepts no more.
    private static let headerListSize = 16 << 10

    /// NIOHTTP2's limits, stated here so that an update cannot loosen them: per 30 seconds and connection 200 streams
    /// that the client resets (CVE-2023-44487), 200 that it makes the server reset (CVE-2025-8671) and 200 frames that
    /// require a reply, such as PING; five CONTINUATION frames for one header (CVE-2024-27316).
    private static let configuration: NIOHTTP2Handler.Configuration = {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: concurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerListSize),
        ]
        configuration.connection.maximumSequentialContinuationFrames = 5
        configuration.connection.maximumBufferedControlFrames = 1000
        configuration.connection.maximumConnectionGlitches = 200
        configuration.connection.controlFrameRateLimit.maximumCount = 200
        configuration.connection.controlFrameRateLimit.windowLength = .seconds(30)
        configuration.stream.streamResetFrameRateLimit.maximumCount = 200
        configuration.stream.streamResetFrameRateLimit.windowLength = .seconds(30)
        configuration.stream.streamErrorRateLimit.maximumCount = 200
        configuration.stream.streamErrorRateLimit.windowLength = .seconds(30)
        return configuration
    }()

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let peer = channel.remoteAddress.flatMap(NetworkAddress.init)
            let connection = HTTP2ConnectionGuard(timeouts)
            let streams = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
                mode: .server, streamDelegate: StreamWatch(connection, on: channel.eventLoop),
                configuration: Self.configuration
            ) { stream in
                stream.eventLoop.makeCompletedFuture { try open(stream, of: peer, logger) }
            }
            try channel.pipeline.syncOperations.addHandler(connection)
            return Value(streams: streams, channel: channel)
        }
    }

    private func open(_ stream: any Channel, of peer: NetworkAddress?, _ logger: Logger) throws -> Stream {
        guard let seat = seats.enter(peer) else { return Stream(channel: stream, requests: nil, seat: nil) }
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        try pipeline.addHandler(ConnectionGuard(timeouts, of: .stream, logger: logger))
        let requests = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(wrappingChannelSynchronously: stream)
        return Stream(channel: stream, requests: requests, seat: seat)
    }

    func handle(value: Value, logger: Logger) async {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for try await stream in value.streams.inbound {
                    group.addTask { await handle(stream, logger) }
                }
            }
        } catch {
            logger.trace("HTTP/2 connection ended", metadata: ["error": "\(error)"])
        }
    }

    /// Responds to the request of a stream, which keeps its seat until then, even if its client resets it.
    private func handle(_ stream: Stream, _ logger: Logger) async {
        guard let requests = stream.requests else {
            // “can be safely retried” (RFC 9113, section 8.7)
            return stream.channel.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.refusedStream), promise: nil)
        }
        await handleHTTP(asyncChannel: requests, logger: logger)
        withExtendedLifetime(stream.seat) {}
    }
}
