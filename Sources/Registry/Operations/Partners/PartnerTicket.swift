import OperatingSystem
import RegistryAPI
import RegistryRules
import Synchronization

/// Waits for what partners answer about the visits of one request.
package final class PartnerTicket: Sendable {
    /// The visits to store with the request.
    let forwards: [PartnerForward]
    let station: StationID
    /// The visits whose answers are waited for: those of partners that answer quickly.
    let awaited: Set<ForwardName>
    /// The visits without an answer, and the answers so far.
    private let state: Mutex<(pending: Set<ForwardName>, results: [VisitID: VisitResult])>
    private let arrival = WakeUp()

    init(_ forwards: [PartnerForward], of station: StationID, awaiting awaited: Set<ForwardName>) {
        self.forwards = forwards
        self.station = station
        self.awaited = awaited
        state = Mutex((awaited, [:]))
    }

    /// The answers so far, of visits that a partner has stored.
    var results: [VisitID: VisitResult] { state.withLock(\.results) }

    /// The visits whose answers have not arrived.
    var pending: Set<ForwardName> { state.withLock(\.pending) }

    /// Notes an answer; nil if the partner did not answer.
    func answer(_ name: ForwardName, _ result: VisitResult?) {
        let isLast = state.withLock { state in
            guard state.pending.remove(name) != nil else { return false }
            if let result, result.result == .stored { state.results[name.visit] = result }
            return state.pending.isEmpty
        }
        if isLast { arrival.wake() }
    }

    /// Returns when all answers have arrived, or after a time.
    func wait(atMost patience: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) async {
        guard !pending.isEmpty else { return }
        await arrival.wait(atMost: patience, sleep: sleep)
    }
}

/// Names a visit that one partner gets.
struct ForwardName: Hashable, Sendable {
    /// The partner's key in the store.
    let partner: Int64
    let station: StationID
    let visit: VisitID
}
