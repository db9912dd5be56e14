/// How often earlier searches in this registry heard the bike soon, for an owner whose bike is missing.
///
/// Both numbers are rounded, and change at most once a day, so that they do not reveal the outcome of a single search.
public struct SearchOdds: Codable, Hashable, Sendable {
    /// The number of searches that say something about a day, rounded down to tens; at least ``leastSearches``.
    public var searches: Int
    /// The share that a station heard within a day of the report, in per cent, rounded to five.
    public var percentWithinDay: Int

    /// Fewer searches say too little.
    public static let leastSearches = 30

    public init(searches: Int, percentWithinDay: Int) {
        self.searches = searches
        self.percentWithinDay = percentWithinDay
    }

    /// The odds after these searches; nil if they are too few.
    public init?(_ closed: ClosedSearches) {
        let day = ClosedSearches.Span.day
        let early = closed.number { $0.heardWithin == nil && $0.lasted.index <= day.index }
        guard closed.searches - early >= Self.leastSearches else { return nil }
        self.init(
            searches: (closed.searches - early) / 10 * 10,
            percentWithinDay: Int((closed.heardShare(within: day) * 20).rounded()) * 5)
    }
}

extension ClosedSearches {
    /// The share that a station hears within a span of time if the search does not end before, by a life table: a
    /// silent search that ended within a span counts as half of one in that span, and not at all later (Cutler and
    /// Ederer, “Maximum utilization of the life table method”, 1958).
    public func heardShare(within span: Span) -> Double {
        var left = Double(searches)
        var silent = 1.0
        for part in Span.allCases.prefix(span.index + 1) {
            let heard = Double(number { $0.heardWithin == part })
            let ended = Double(number { $0.heardWithin == nil && $0.lasted == part })
            let exposed = left - ended / 2
            if exposed > 0 { silent *= max(0, 1 - heard / exposed) }
            left -= heard + ended
        }
        return 1 - silent
    }
}
