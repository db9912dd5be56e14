public import RegistryAPI

/// The period in which a bike was missing according to one report: from the owner's own time until the report closed or
/// stopped yielding sightings.
public struct OpenPeriod: Hashable, Sendable {
    public let missingSince: Timestamp
    /// The time when the report was closed; nil while it is open.
    public let closed: Timestamp?
    /// The time when the report stops yielding sightings, whether it is closed or not; nil if it does not stop.
    public let sightingsUntil: Timestamp?

    public init(missingSince: Timestamp, closed: Timestamp?, sightingsUntil: Timestamp? = nil) {
        self.missingSince = missingSince
        self.closed = closed
        self.sightingsUntil = sightingsUntil
    }

    /// The end of the period; nil while it has none.
    public var end: Timestamp? { [closed, sightingsUntil].compactMap { $0 }.min() }

    /// Whether the period has ended by a time; after that, stations learn nothing more about the bike.
    public func isOver(at time: Timestamp) -> Bool { end.map { $0 <= time } ?? false }

    /// Whether the bike was missing at any moment of a visit. The visit's own time counts, not the time of its arrival.
    ///
    /// - Parameters:
    ///   - first: the beginning of the visit.
    ///   - last: its end.
    public func overlaps(first: Timestamp, last: Timestamp) -> Bool {
        guard last >= missingSince else { return false }
        guard let end else { return true }
        return first <= end
    }
}

extension OpenPeriod {
    /// One of a bike's reports: when the bike was missing, and whether it has a sighting of the visit already.
    public typealias Claim = (period: OpenPeriod, isKnown: Bool)

    /// The parts of a visit that belong to a bike's reports, the oldest first, each with the index of its report.
    ///
    /// A moment belongs to the newest report that covers it, and to no other. So a report whose “since” is before the
    /// previous report's closure also gets the visits in between. What is stored stays: a report that has a sighting of
    /// the visit keeps the visit until the report's end, so an owner is not alerted to the same moments again.
    ///
    /// - Parameter claims: the bike's reports, the oldest first. All but the last one are closed.
    public static func parts(of visit: Visit, among claims: [Claim]) -> [(index: Int, visit: Visit)] {
        var parts: [(index: Int, visit: Visit)] = []
        // The part of the visit that no newer report has got.
        var rest = visit
        for index in claims.indices.reversed() {
            guard mayHold(claims[index], rest) else { continue }
            let period = claims[index].period
            let begin = claims[..<index].compactMap { keptUntil(by: $0, of: rest, before: period) }.max()
            var part = rest
            if let begin { part.firstSeen = max(part.firstSeen, begin) }
            if let end = period.end { part.lastSeen = min(part.lastSeen, end) }
            // An earlier report's part also ends where this one begins, so no visit of a single moment is added there.
            let isSingleMoment = part.firstSeen == part.lastSeen
            if part.firstSeen < part.lastSeen || (isSingleMoment && begin == nil) { parts.append((index, part)) }
            guard let begin else { break }
            rest.lastSeen = min(rest.lastSeen, begin)
        }
        return parts.reversed()
    }

    /// Whether a part of a visit may belong to a report. After a station's clock was set, a known visit may lie before
    /// the time from which the bike was missing.
    private static func mayHold(_ claim: Claim, _ visit: Visit) -> Bool {
        guard claim.isKnown else { return claim.period.overlaps(first: visit.firstSeen, last: visit.lastSeen) }
        guard let end = claim.period.end else { return true }
        return visit.firstSeen <= end
    }

    /// The time until which a visit belongs to an earlier report; nil if no part of it does.
    private static func keptUntil(by claim: Claim, of visit: Visit, before newer: OpenPeriod) -> Timestamp? {
        guard let closed = claim.period.closed else { return nil }
        let end = claim.isKnown ? (claim.period.end ?? closed) : min(closed, newer.missingSince)
        var part = visit
        part.lastSeen = min(part.lastSeen, end)
        return visit.firstSeen < end && mayHold(claim, part) ? end : nil
    }
}
