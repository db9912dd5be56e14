import Dispatch
import Glibc

/// Wakes whoever looks after a socket when something has come, and once a second for what needs time: signs of life, and
/// what the socket would not take at once.
///
/// “It is invalid to close a file descriptor before the cancellation handler has run” (dispatch_source_create(3)), and
/// libmosquitto closes its socket when it likes: so this one is a duplicate.
final class SocketWakeUp {
    private let sources: [any DispatchSourceProtocol]

    /// Nil without a free descriptor, and `errno` says why.
    init?(_ socket: Int32, queue: DispatchQueue, _ onWake: @escaping @Sendable () -> Void) {
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        let reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        reading.setCancelHandler { _ = Glibc.close(descriptor) }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1)
        sources = [reading, timer]
        for source in sources {
            source.setEventHandler(handler: onWake)
            source.resume()
        }
    }

    deinit { for source in sources { source.cancel() } }
}
