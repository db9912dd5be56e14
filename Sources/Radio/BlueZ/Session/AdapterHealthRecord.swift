import Synchronization

/// The health of one adapter, written by the scanner's parts and readable from anywhere.
final class AdapterHealthRecord: Sendable {
    private let health: Mutex<AdapterHealth>
    private let onEvent: @Sendable (AdapterEvent) -> Void

    init(name: String, onEvent: @escaping @Sendable (AdapterEvent) -> Void) {
        health = Mutex(AdapterHealth(name: name))
        self.onEvent = onEvent
    }

    var snapshot: AdapterHealth { health.withLock { $0 } }

    func update(_ change: (inout AdapterHealth) -> Void) {
        health.withLock { change(&$0) }
    }

    /// Passes an event to the scanner's user, after its content is in the snapshot.
    func report(_ event: AdapterEvent) {
        health.withLock { health in
            switch event {
            case .failed(let reason), .busLost(let reason): health.lastError = reason
            case .discoveryStarted: health.lastError = nil
            case .recovering(let step): health.recoveries[step, default: 0] += 1
            case .monitorUnavailable(let reason): health.monitor = .unavailable(reason)
            case .monitorActivated: health.monitor = .active
            default: break
            }
        }
        onEvent(event)
    }
}
