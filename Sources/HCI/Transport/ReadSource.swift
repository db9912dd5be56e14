import Dispatch
import Glibc

/// Calls back whenever a descriptor has something to read, and closes it at the end. Not Sendable: for one queue.
final class ReadSource {
    private let source: any DispatchSourceRead
    private var isSuspended = false

    /// Takes over the descriptor.
    init(_ descriptor: CInt, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: handler)
        // A descriptor may be closed only once its source is cancelled (dispatch_source_set_cancel_handler(3)).
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        source.suspend()
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        source.resume()
    }

    // A suspended source must not be released, and its cancel handler would never run.
    deinit {
        resume()
        source.cancel()
    }
}
