import HummingbirdCore
import Logging
import NIOCore
import OperatingSystem

/// A channel that immediately closes connections beyond a client's share.
struct SharedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let clients: ClientConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        guard let client = clients.client(channel.remoteAddress.flatMap(NetworkAddress.init)) else {
            return base.setup(channel: channel, logger: logger)
        }
        guard clients.enter(client) else {
            // A failed set-up would stop the whole server; the handler of a closed connection just ends.
            return base.setup(channel: channel, logger: logger).map { value in
                channel.close(promise: nil)
                return value
            }
        }
        channel.closeFuture.whenComplete { [clients] _ in clients.leave(client) }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
