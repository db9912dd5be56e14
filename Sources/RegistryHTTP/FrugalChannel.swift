import HummingbirdCore
import Logging
import NIOCore

/// Lets a connection hold little memory while it waits: most are stations', which wait nearly all the time.
struct FrugalChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        // A station's question fits; the buffer grows with what is read. NIO would begin with 2 kB.
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 65_536)
        try? channel.syncOptions?.setOption(.recvAllocator, value: allocator)
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
