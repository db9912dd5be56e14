public import RegistryAPI

/// When a bike was missing by one report: from the owner's own time until the report closed, or stopped to yield
/// sightings.
public struct OpenPeriod: Hashable, Sendable {
    public let missingSince: Timestamp
    /// nil while the report is open.
    public let closed: Timestamp?
    /// When the report stops to yield sightings, whether it is closed or not; nil where it does not.
    public let sightingsUntil: Timestamp?

    public init(missingSince: Timestamp, closed: Timestamp?, sightingsUntil: Timestamp? = nil) {
        self.missingSince = missingSince
        self.closed = closed
        self.sightingsUntil = sightingsUntil
    }

    /// Whether the bike was missing at any moment of a visit: the visit's own time counts, not when it is told.
    public func overlaps(first: Timestamp, last: Timestamp) -> Bool {
        guard last >= missingSince else { return false }
        return [closed, sightingsUntil].allSatisfy { end in end.map { first <= $0 } ?? true }
    }
}
