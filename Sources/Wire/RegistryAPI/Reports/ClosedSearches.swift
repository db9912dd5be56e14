/// Response to `GET /v1/closed-searches`: what became of searches, only as counts.
///
/// False alarms, and searches for which the bike was never on the missing list, are left out. Only the first search for
/// each beacon counts, at most ``mostOfOwner`` of an owner in ``ownersPeriod``, and only the latest ``most`` of all. The
/// counts change in steps: each adds the searches of at least ``leastOwners`` owners.
public struct ClosedSearches: Codable, Hashable, Sendable {
    /// The maximum number of searches that are counted.
    public static let most = 5000
    /// The maximum number of searches of one owner that count if they end within ``ownersPeriod``.
    public static let mostOfOwner = 2
    public static let ownersPeriod = Duration.days(90)
    /// The minimum number of owners whose searches are added together, and so the minimum number of these searches.
    public static let leastOwners = 10

    /// The searches that ended before this time, the beginning of the day (UTC) of the last step, are counted; that of
    /// the current day if there was no step.
    public var until: Timestamp
    public var searches: Int
    /// The counts that are not zero.
    public var counts: [Count]

    /// A span of time: up to an hour, a day, a week, 30 days, or longer.
    public enum Span: String, Codable, CaseIterable, Hashable, Sendable {
        case hour, day, week, month, longer
    }

    /// The number of searches that went the same way.
    public struct Count: Codable, Hashable, Sendable {
        /// The time from the report until a station first heard the bike; absent if none did.
        public var heardWithin: Span?
        /// The time from the report to the end of the search.
        public var lasted: Span
        public var searches: Int

        public init(heardWithin: Span? = nil, lasted: Span, searches: Int) {
            self.heardWithin = heardWithin
            self.lasted = lasted
            self.searches = searches
        }
    }

    public init(until: Timestamp, counts: [Count]) {
        self.until = until
        self.counts = counts
        searches = counts.reduce(0) { $0 + $1.searches }
    }
}

extension ClosedSearches {
    /// One search: when the bike was heard first, and how long it was searched for.
    public typealias Search = (heardAfter: Duration?, lasted: Duration)

    /// Counts searches.
    public init(until: Timestamp, of searches: some Sequence<Search>) {
        self.init(
            until: until,
            adding: searches.map {
                Count(heardWithin: $0.heardAfter.map { Span($0) }, lasted: Span($0.lasted), searches: 1)
            })
    }

    /// Adds counts, several of which may be for the same spans.
    public init(until: Timestamp, adding parts: some Sequence<Count>) {
        let spans = Span.allCases
        // A row for each span within which the bike was heard, and a last one for bikes that were not heard.
        let unheard = spans.count
        var numbers = [[Int]](repeating: [Int](repeating: 0, count: spans.count), count: spans.count + 1)
        for part in parts { numbers[part.heardWithin?.index ?? unheard][part.lasted.index] += part.searches }
        var counts: [Count] = []
        for (row, numbersOfRow) in numbers.enumerated() {
            let heardWithin = row == unheard ? nil : spans[row]
            for (lasted, number) in zip(spans, numbersOfRow) where number > 0 {
                counts.append(Count(heardWithin: heardWithin, lasted: lasted, searches: number))
            }
        }
        self.init(until: until, counts: counts)
    }

    /// The number of searches in the counts that meet a condition.
    func number(where condition: (Count) -> Bool) -> Int {
        counts.lazy.filter(condition).reduce(0) { $0 + $1.searches }
    }
}

extension ClosedSearches.Span {
    /// The shortest span that contains a duration.
    fileprivate init(_ duration: Duration) {
        self = Self.allCases.first { span in span.end.map { duration <= $0 } ?? true } ?? .longer
    }

    /// The position among all, from the shortest.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The longest duration in the span; nil if it has no end.
    private var end: Duration? {
        switch self {
        case .hour: .seconds(3600)
        case .day: .days(1)
        case .week: .days(7)
        case .month: .days(30)
        case .longer: nil
        }
    }
}
