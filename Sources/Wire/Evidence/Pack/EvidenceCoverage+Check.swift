import RegistryAPI

extension EvidenceCoverage {
    /// Checks that the spans agree with the report and with the sightings in the same pack.
    ///
    /// - Parameters:
    ///   - sightings: the sightings in the pack, in any order.
    ///   - made: when the pack was made.
    /// - Throws: ``EvidenceFlaw/contradiction(_:)``.
    func check(_ report: MissingReport, _ sightings: [Sighting], made: Timestamp) throws(EvidenceFlaw) {
        guard spans <= allSpans, stations.map(\.id) == Set(stations.map(\.id)).sorted() else {
            throw .contradiction("the times at which stations listened are out of order or incomplete")
        }
        guard let from, let until else {
            guard stations.isEmpty else { throw .contradiction("stations listened in no period") }
            return
        }
        guard report.opened <= from, from < until, until <= min(made, report.closed ?? made) else {
            throw .contradiction("stations listened at times that do not belong to the report")
        }
        let sightingsByStation = Dictionary(grouping: sightings, by: \.station.id)
        for station in stations {
            guard CoverageArea(of: station.area.centre) == station.area, areSound(station.spans, from...until) else {
                throw .contradiction("the times at which the station \(station.id) listened cannot be true")
            }
            guard !overlap(station.spans, sightingsByStation[station.id] ?? []) else {
                throw .contradiction("the station \(station.id) reported the beacon when it did not")
            }
        }
    }

    /// Whether the spans consist of whole quarters of an hour within a period, in order and apart from each other.
    private func areSound(_ spans: [ListeningSpan], _ period: ClosedRange<Timestamp>) -> Bool {
        let secondsInQuarter = Int(CoverageQuarter.length.components.seconds)
        var earliest = period.lowerBound
        for span in spans {
            let quarters = CoverageQuarter.count(from: span.from, to: span.until)
            guard span.from >= earliest, span.until <= period.upperBound, quarters >= 1,
                CoverageQuarter.start(of: span.from) == span.from, CoverageQuarter.start(of: span.until) == span.until,
                (quarters * ListeningSpan.leastListened...quarters * secondsInQuarter).contains(span.listened)
            else { return false }
            // Spans without a gap between them would be one.
            earliest = span.until.advanced(by: CoverageQuarter.length)
        }
        return !spans.isEmpty
    }

    /// Whether a sighting lies in a span. Both are sorted first, so that the cost stays small.
    private func overlap(_ spans: [ListeningSpan], _ sightings: [Sighting]) -> Bool {
        let heard = sightings.sorted { $0.firstSeen < $1.firstSeen }
        var next = 0
        // The latest end of the sightings that begin before the end of the current span.
        var latest: Timestamp?
        for span in spans {
            while next < heard.count, heard[next].firstSeen < span.until {
                latest = max(latest ?? heard[next].lastSeen, heard[next].lastSeen)
                next += 1
            }
            if let latest, latest >= span.from { return true }
        }
        return false
    }
}
