/// Where a status server gets what it tells: a monitor.
public protocol StatusSource: Sendable {
    func report() async throws -> StatusReport
    /// Visits that wait for an answer, oldest first.
    func pending() async throws -> [PendingVisit]
    /// Takes the venue's answer for a visit; false where none of this name waits.
    func answer(_ visit: String, isAgreed: Bool) async throws -> Bool
    /// Takes what someone at the venue says of an alarm's visit; false where there is no alarm of this name.
    func answer(_ visit: String, isSeen: Bool) async throws -> Bool
    /// What happens from now on.
    func events() -> AsyncStream<StatusEvent>
}
