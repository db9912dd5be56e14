import Glibc
import Synchronization

/// An open descriptor to be passed to a new owner; closed if it is never taken.
final class Handover: Sendable {
    private let descriptor: Mutex<CInt?>

    init(_ descriptor: CInt) {
        self.descriptor = Mutex(descriptor)
    }

    /// Returns the descriptor, once.
    func take() -> CInt? {
        descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
    }

    deinit {
        if let descriptor = take() { close(descriptor) }
    }
}
