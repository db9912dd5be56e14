import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// An HTTP connection that holds little memory while it waits: most are stations', which wait nearly all the time.
struct FrugalChannel: ServerChildChannel {
    private let channel: HTTP1Channel

    init(responder: @escaping HTTPChannelHandler.Responder) {
        channel = HTTP1Channel(responder: responder)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        // A station's question fits; the buffer grows with what is read. NIO would begin with 2 kB.
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 65_536)
        try? channel.syncOptions?.setOption(.recvAllocator, value: allocator)
        return self.channel.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await channel.handle(value: value, logger: logger)
    }
}
