public import Evidence
public import RegistryAPI

/// What a station's coverage says about a search.
public struct ListeningRules: Sendable {
    /// The period in which the beacon was on the missing list without interruption.
    public let listed: Range<Timestamp>
    /// For each quarter of an hour since the beginning of ``listed``: whether the station heard the beacon in it,
    /// according to all its sightings.
    private let isHeard: [Bool]

    /// The time that a list may take from the registry to the station.
    static let delivery = Duration.seconds(60)

    /// - Parameters:
    ///   - listed: at most the ``CoverageRules/retention``; a longer period is cut at its beginning.
    ///   - heard: the first and the last time of each visit to the station; cost grows linearly with their number.
    public init(listed: Range<Timestamp>, heard: [(first: Timestamp, last: Timestamp)]) {
        let begin = max(listed.lowerBound, listed.upperBound.advanced(by: .zero - CoverageRules.retention))
        self.listed = begin..<max(begin, listed.upperBound)
        let quarters = CoverageQuarter.count(from: begin, to: self.listed.upperBound) + 1
        // For each quarter, the number of visits that begin in it, minus those that ended in the one before it. The sum
        // up to a quarter is the number of visits in it.
        var changes = Array(repeating: 0, count: quarters + 1)
        for visit in heard where visit.last >= begin && visit.first <= self.listed.upperBound {
            let first = CoverageQuarter.count(from: begin, to: max(visit.first, begin))
            let last = CoverageQuarter.count(from: begin, to: min(max(visit.last, visit.first), self.listed.upperBound))
            changes[first] += 1
            changes[last + 1] -= 1
        }
        var open = 0
        isHeard = changes.map { change in
            open += change
            return open > 0
        }
    }

    /// The spans in which a station listened for the beacon and had not reported it. Quarters that follow each other
    /// form one span.
    ///
    /// - Parameter quarters: the station's, in the order of time.
    public func spans(_ quarters: some Sequence<CoverageQuarter>) -> [ListeningSpan] {
        var spans: [ListeningSpan] = []
        for quarter in quarters where counts(quarter) {
            if let last = spans.last, last.until > quarter.begins { continue }
            if let last = spans.last, last.until == quarter.begins {
                spans[spans.count - 1].until = quarter.ends
                spans[spans.count - 1].listened += quarter.listened
            } else {
                spans.append(ListeningSpan(from: quarter.begins, until: quarter.ends, listened: quarter.listened))
            }
        }
        return spans
    }

    /// Whether the radio worked, the list in use contained the beacon from the first moment to the last, and the
    /// station had not reported it.
    private func counts(_ quarter: CoverageQuarter) -> Bool {
        guard quarter.listened >= ListeningSpan.leastListened, let age = quarter.listAge else { return false }
        let listMade = quarter.begins.advanced(by: .zero - .seconds(age) - Self.delivery)
        guard listMade >= listed.lowerBound, quarter.ends <= listed.upperBound else { return false }
        return !isHeard[CoverageQuarter.count(from: listed.lowerBound, to: quarter.begins)]
    }
}
