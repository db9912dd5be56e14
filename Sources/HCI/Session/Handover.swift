import Glibc
import Synchronization

/// An open descriptor on its way to a new owner; closed if nobody takes it.
final class Handover: Sendable {
    private let descriptor: Mutex<CInt?>

    init(_ descriptor: CInt) {
        self.descriptor = Mutex(descriptor)
    }

    /// The descriptor, once.
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
