public import RegistryAPI

/// A filter for entries of the audit; nil matches everything.
public struct AuditFilter: Hashable, Sendable {
    public var owner: OwnerID?
    public var bike: BikeID?
    public var report: ReportID?
    public var station: StationID?
    /// The action as on the wire, so that an action unknown to this version finds nothing.
    public var action: String?
    /// The time from which entries match.
    public var since: Timestamp?
    /// The time before which entries match.
    public var until: Timestamp?
    /// The order of the entries; a cursor continues in the same order.
    public var order: AuditOrder

    public init(
        owner: OwnerID? = nil, bike: BikeID? = nil, report: ReportID? = nil, station: StationID? = nil,
        action: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil, order: AuditOrder = .oldest
    ) {
        self.owner = owner
        self.bike = bike
        self.report = report
        self.station = station
        self.action = action
        self.since = since
        self.until = until
        self.order = order
    }
}

/// Which entries of the audit come first.
public enum AuditOrder: String, CaseIterable, Hashable, Sendable {
    case oldest, newest
}
