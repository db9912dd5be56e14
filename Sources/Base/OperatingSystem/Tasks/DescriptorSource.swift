public import Dispatch
import Glibc

/// Calls back whenever a descriptor is readable or writable, until it is released. Not Sendable: for use on one queue.
public final class DescriptorSource {
    /// What the descriptor must be ready for.
    public enum Direction: Sendable {
        case reading, writing
    }

    public let direction: Direction
    private let source: any DispatchSourceProtocol
    private var isSuspended = false

    /// Takes ownership of the descriptor and closes it at the end.
    ///
    /// - Parameter handler: called on the queue, again and again as long as the descriptor is ready.
    public init(
        _ descriptor: CInt, _ direction: Direction, queue: DispatchQueue, handler: @escaping () -> Void
    ) {
        self.direction = direction
        source =
            switch direction {
            case .reading: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            case .writing: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            }
        source.setEventHandler(handler: handler)
        // “It is invalid to close a file descriptor before the cancellation handler has run”
        // (dispatch_source_create(3)).
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    /// Watches a duplicate, for a library that may close its descriptor at any time. Returns nil, with `errno`, if no
    /// descriptor is free.
    public convenience init?(
        duplicating descriptor: CInt, _ direction: Direction, queue: DispatchQueue,
        handler: @escaping () -> Void
    ) {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        self.init(duplicate, direction, queue: queue, handler: handler)
    }

    /// Stops the calls until ``resume()``.
    public func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        source.suspend()
    }

    /// Lets the calls begin again; does nothing unless they are suspended.
    public func resume() {
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
