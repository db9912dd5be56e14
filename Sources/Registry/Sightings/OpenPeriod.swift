public import RegistryAPI

/// The period in which a bike was missing according to one report: from the owner's own time until the report closed or
/// stopped yielding sightings.
public struct OpenPeriod: Hashable, Sendable {
    public let missingSince: Timestamp
    /// The time when the report was closed; nil while it is open.
    public let closed: Timestamp?
    /// The time when the report stops yielding sightings, whether it is closed or not; nil if it does not stop.
    public let sightingsUntil: Timestamp?
    /// The time when the bike's previous report was closed; earlier sightings belong to that report.
    public var previousClosed: Timestamp?

    public init(
        missingSince: Timestamp, closed: Timestamp?, sightingsUntil: Timestamp? = nil, previousClosed: Timestamp? = nil
    ) {
        self.missingSince = missingSince
        self.closed = closed
        self.sightingsUntil = sightingsUntil
        self.previousClosed = previousClosed
    }

    /// The end of the period; nil while it has none.
    public var end: Timestamp? { [closed, sightingsUntil].compactMap { $0 }.min() }

    /// Whether the period has ended by a time; after that, stations learn nothing more about the bike.
    public func isOver(at time: Timestamp) -> Bool { end.map { $0 <= time } ?? false }

    /// Whether the bike was missing at any moment of a visit.
    /// The visit's own time counts, not the time of its arrival.
    public func overlaps(first: Timestamp, last: Timestamp) -> Bool {
        guard last >= missingSince else { return false }
        return [closed, sightingsUntil].allSatisfy { end in end.map { first <= $0 } ?? true }
    }

    /// The part of a visit that belongs to the report: from the closing of the previous report to its own end. A
    /// moment belongs to at most one report, so the order in which visits arrive does not matter. Nil if nothing is
    /// left.
    public func part(of visit: Visit) -> Visit? {
        var part = visit
        if let previousClosed { part.firstSeen = max(visit.firstSeen, previousClosed) }
        for end in [closed, sightingsUntil].compactMap(\.self) { part.lastSeen = min(part.lastSeen, end) }
        return part.firstSeen <= part.lastSeen ? part : nil
    }
}
