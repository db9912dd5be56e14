public import RegistryAPI

/// When a bike was missing by one report: from the owner's own time until the report closed.
public struct OpenPeriod: Hashable, Sendable {
    public let missingSince: Timestamp
    /// nil while the report is open.
    public let closed: Timestamp?

    public init(missingSince: Timestamp, closed: Timestamp?) {
        self.missingSince = missingSince
        self.closed = closed
    }

    /// Whether the bike was missing at any moment of a visit: the visit's own time counts, not when it is told.
    public func overlaps(first: Timestamp, last: Timestamp) -> Bool {
        guard last >= missingSince else { return false }
        guard let closed else { return true }
        return first <= closed
    }
}
