import Testing

@testable import RegistryAPI

@Suite("Odds of a search")
struct SearchOddsTests {
    private func closed(_ counts: ClosedSearches.Count...) -> ClosedSearches {
        ClosedSearches(until: .specimen, counts: counts)
    }

    @Test("searches are counted in spans, whose ends belong to them")
    func spans() {
        let searches: [ClosedSearches.Search] = [
            (.zero, .seconds(3600)), (.seconds(3600), .seconds(3601)), (.seconds(3601), .days(1)),
            (nil, .days(7)), (nil, .days(30)), (.days(31), .days(99)),
        ]
        #expect(
            ClosedSearches(until: .specimen, of: searches)
                == closed(
                    .init(heardWithin: .hour, lasted: .hour, searches: 1),
                    .init(heardWithin: .hour, lasted: .day, searches: 1),
                    .init(heardWithin: .day, lasted: .day, searches: 1),
                    .init(heardWithin: .longer, lasted: .longer, searches: 1), .init(lasted: .week, searches: 1),
                    .init(lasted: .month, searches: 1)))
    }

    @Test("a search that ended early counts as half of one in its span, and not later")
    func lifeTable() {
        // Of 100, 10 within an hour; of the 70 left, 20 of which end silently within a day, 30 within a day.
        let searches = closed(
            .init(heardWithin: .hour, lasted: .week, searches: 10), .init(lasted: .hour, searches: 20),
            .init(heardWithin: .day, lasted: .week, searches: 30), .init(lasted: .day, searches: 20),
            .init(lasted: .longer, searches: 20))
        #expect(abs(searches.heardShare(within: .hour) - 10.0 / 90) < 1e-9)
        #expect(abs(searches.heardShare(within: .day) - (1 - 80.0 / 90 * 30 / 60)) < 1e-9)
        #expect(searches.heardShare(within: .longer) == searches.heardShare(within: .day))
        #expect(closed().heardShare(within: .day) == 0)
    }

    @Test("there are none from fewer than thirty searches that say something about a day")
    func few() {
        let early = ClosedSearches.Count(lasted: .day, searches: 500)
        #expect(SearchOdds(closed(.init(heardWithin: .hour, lasted: .week, searches: 29), early)) == nil)
        let enough = closed(
            .init(heardWithin: .hour, lasted: .week, searches: 12), .init(lasted: .month, searches: 18))
        #expect(SearchOdds(enough) == SearchOdds(searches: 30, percentWithinDay: 40))
        #expect(SearchOdds(closed()) == nil)
    }

    @Test("one search more or less rarely changes them", arguments: [30, 140, 997])
    func rounded(count: Int) {
        let changes = (0..<count).count { heard in
            let odds = [heard, heard + 1].map {
                SearchOdds(
                    closed(
                        .init(heardWithin: .hour, lasted: .week, searches: $0),
                        .init(lasted: .week, searches: count - $0)))
            }
            return odds[0] != odds[1]
        }
        #expect(changes <= 20)
        let all = SearchOdds(closed(.init(heardWithin: .day, lasted: .week, searches: count)))
        #expect(all == SearchOdds(searches: count / 10 * 10, percentWithinDay: 100))
    }
}
