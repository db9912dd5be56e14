public import RegistryAPI

/// When a bike was missing by one report: from the owner's own time until the report closed, or stopped to yield
/// sightings.
public struct OpenPeriod: Hashable, Sendable {
    public let missingSince: Timestamp
    /// nil while the report is open.
    public let closed: Timestamp?
    /// When the report stops to yield sightings, whether it is closed or not; nil where it does not.
    public let sightingsUntil: Timestamp?
    /// When the bike's report before this one closed: what was heard until then belongs to that one.
    public var previousClosed: Timestamp?

    public init(
        missingSince: Timestamp, closed: Timestamp?, sightingsUntil: Timestamp? = nil, previousClosed: Timestamp? = nil
    ) {
        self.missingSince = missingSince
        self.closed = closed
        self.sightingsUntil = sightingsUntil
        self.previousClosed = previousClosed
    }

    /// When it ends, or has ended; nil while nothing ends it.
    public var end: Timestamp? { [closed, sightingsUntil].compactMap { $0 }.min() }

    /// Whether it has ended by a time: then a station is told nothing more of the bike.
    public func isOver(at time: Timestamp) -> Bool { end.map { $0 <= time } ?? false }

    /// Whether the bike was missing at any moment of a visit: the visit's own time counts, not when it is told.
    public func overlaps(first: Timestamp, last: Timestamp) -> Bool {
        guard last >= missingSince else { return false }
        return [closed, sightingsUntil].allSatisfy { end in end.map { first <= $0 } ?? true }
    }

    /// The part of a visit that belongs to the report: from the closure of the one before to its own end. A moment belongs
    /// to one report at most, so that the order in which visits are told cannot matter. Nil where nothing is left.
    public func part(of visit: Visit) -> Visit? {
        var part = visit
        if let previousClosed { part.firstSeen = max(visit.firstSeen, previousClosed) }
        for end in [closed, sightingsUntil].compactMap(\.self) { part.lastSeen = min(part.lastSeen, end) }
        return part.firstSeen <= part.lastSeen ? part : nil
    }
}
