import Logging
import ServiceLifecycle
import Synchronization

/// The time that all services together have for what they have begun, after the registry was asked to stop.
final class Drain: Sendable {
    private let limit: Duration
    private let least: Duration
    private let end = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter least: what each service has, even if those before it have needed all the time.
    init(limit: Duration, least: Duration = .milliseconds(250)) {
        self.limit = limit
        self.least = least
    }

    /// Returns true when the time of a service is over; false if the task is cancelled before. The time begins when the
    /// first service is asked to stop.
    func isOver() async -> Bool {
        do {
            try await gracefulShutdown()
            let end = end.withLock { end in
                let time = end ?? .now + limit
                end = time
                return time
            }
            try await Task.sleep(until: max(end, .now + least), clock: .continuous)
            return true
        } catch {
            return false
        }
    }
}

/// A service that is cancelled if it is still busy when the time to stop is over.
///
/// A request that never ends then does not keep the services behind it from stopping in order: a `ServiceGroup` that
/// limits the time cancels all of them.
struct DrainedService: Service, CustomStringConvertible {
    let service: any Service
    let drain: Drain
    let logger: Logger

    /// The service's name; without its properties, some of which are secret.
    var description: String { (service as? any CustomStringConvertible)?.description ?? "\(type(of: service))" }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask {
                guard await drain.isOver() else { return }
                logger.warning("still busy when the time to stop is over", metadata: ["service": "\(self)"])
            }
            // What ends first ends the other.
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
