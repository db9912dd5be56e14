import HummingbirdCore
import Synchronization

/// Counts open connections, and accepts no new ones while there are too many: they wait in the kernel's queue.
final class ConnectionGauge: AvailableConnectionsDelegate {
    private let open = Atomic<Int>(0)
    private let maximum: Int

    init(maximum: Int) { self.maximum = maximum }

    var count: Int { open.load(ordering: .relaxed) }

    func connectionOpened() { open.add(1, ordering: .relaxed) }

    func connectionClosed() { open.subtract(1, ordering: .relaxed) }

    func isAcceptingNewConnections() -> Bool { count < maximum }
}
