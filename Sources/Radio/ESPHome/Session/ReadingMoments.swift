import Dispatch
import Synchronization

/// The moments at which connections are read, ten times a second. One timer serves all of them.
final class ReadingMoments: Sendable {
    /// The time between two moments, in nanoseconds.
    static let interval: UInt64 = 100_000_000

    private let queue: DispatchQueue
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    init(queue: DispatchQueue) { self.queue = queue }

    /// Calls `read` on the queue at the next moment.
    func atNext(_ read: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(read)
            return waiting.count == 1
        }
        guard isFirst else { return }
        let moment = (DispatchTime.now().uptimeNanoseconds / Self.interval + 1) * Self.interval
        queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: moment)) { [self] in
            let reads = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for read in reads { read() }
        }
    }
}
