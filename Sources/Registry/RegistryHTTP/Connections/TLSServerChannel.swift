import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Adds TLS below HTTP. Each connection uses the certificate that is current when it begins.
///
/// Hummingbird's own TLS channel keeps one certificate for its lifetime.
struct TLSServerChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let files: TLSFiles

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: files.context))
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
