import CCurl
import Synchronization

/// Orders and cancellations from tasks for the thread that drives the transfers.
final class TransferMailbox: Sendable {
    private struct Contents {
        var orders: [TransferOrder] = []
        var hasCancellations = false
        var isClosed = false
    }

    private let contents = Mutex(Contents())
    private let waker: MultiWaker

    init(waker: MultiWaker) { self.waker = waker }

    func add(_ order: TransferOrder) { change { $0.orders.append(order) } }

    /// Says that the flag of an order was set.
    func noteCancellation() { change { $0.hasCancellations = true } }

    /// Says that nothing more will be added, so that the thread ends.
    func close() { change { $0.isClosed = true } }

    /// Takes everything that was added since the last call.
    func take() -> (orders: [TransferOrder], hasCancellations: Bool, isClosed: Bool) {
        contents.withLock { contents in
            defer { contents = Contents(isClosed: contents.isClosed) }
            return (contents.orders, contents.hasCancellations, contents.isClosed)
        }
    }

    /// Changes the contents, and wakes the thread.
    private func change(_ change: (inout Contents) -> Void) {
        contents.withLock { change(&$0) }
        waker.wake()
    }
}

/// A request on its way to the thread that sends it.
struct TransferOrder: Sendable {
    let request: HTTPRequest
    /// Set by the task that waits; ``TransferMailbox/noteCancellation()`` then makes the thread look.
    let cancellation: CancellationFlag
    /// Resumed exactly once, when the request has ended.
    let continuation: CheckedContinuation<HTTPResponse, any Error>
}

/// Ends the poll of a multi handle from any thread.
///
/// Safe: “this function is the only one that can be called from another thread than the one that uses the handle”
/// (curl_multi_wakeup(3)), and it is never called after the handle was freed.
final class MultiWaker: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    private let isFreed = Mutex(false)

    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    func wake() { isFreed.withLock { if !$0 { curl_multi_wakeup(handle) } } }

    /// Says that the handle is about to be freed; later calls of ``wake()`` do nothing.
    func end() { isFreed.withLock { $0 = true } }
}
