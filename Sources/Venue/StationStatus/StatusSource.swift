/// The data source of a status server: a monitor.
public protocol StatusSource: Sendable {
    /// The status now.
    func report() async throws -> StatusReport
    /// Visits that are waiting for an answer, oldest first.
    func pending() async throws -> [PendingVisit]
    /// Records the venue's answer to a visit; false if no visit with this identifier waits.
    func answer(_ visit: String, isAgreed: Bool) async throws -> Bool
    /// Records the staff's answer to an alarm; false if there is no alarm for this visit.
    func answer(_ visit: String, isSeen: Bool) async throws -> Bool
    /// A stream of events from now on.
    func events() -> AsyncStream<StatusEvent>
}

/// An event in the monitor.
public struct StatusEvent: Hashable, Sendable {
    /// One word, as in `visit-began`.
    public let kind: String
    /// Names and texts; only what the venue may see.
    public let details: [String: String]

    public init(kind: String, details: [String: String]) {
        self.kind = kind
        self.details = details
    }
}

/// A topic of a monitor's status in words, such as `registry`, with one line or more.
public struct StatusTopic: Hashable, Sendable {
    /// Empty for lines that need no heading.
    public let name: String
    public var lines: [String]
    /// The positions of the lines that people should see first, because something is wrong.
    public var problems: Set<Int> = []

    public init(_ name: String, _ lines: [String]) {
        self.name = name
        self.lines = lines
    }
}
