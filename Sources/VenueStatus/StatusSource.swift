/// What a status server asks: a monitor.
public protocol StatusSource: Sendable {
    func report() async throws -> StatusReport
    /// Visits that wait for an answer, oldest first.
    func pending() async throws -> [PendingVisit]
    /// Takes the venue's answer for a visit; false if no visit of this name waits.
    func answer(_ visit: String, isAgreed: Bool) async throws -> Bool
    /// Takes the staff's answer to an alarm; false if there is no alarm for this visit.
    func answer(_ visit: String, isSeen: Bool) async throws -> Bool
    /// What happens from now on.
    func events() -> AsyncStream<StatusEvent>
}

/// Something that has happened in the monitor.
public struct StatusEvent: Hashable, Sendable {
    public let kind: String
    public let details: [String: String]

    public init(kind: String, details: [String: String]) {
        self.kind = kind
        self.details = details
    }
}
