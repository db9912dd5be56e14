import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Searches of different owners, which end after half an hour without having been heard.
    ///
    /// - Parameter numbers: those of the beacons.
    fileprivate func endSearches(_ numbers: ClosedRange<UInt16>) async throws {
        var open: [(owner: OwnerID, report: MissingReport)] = []
        for number in numbers {
            let owner = try await owner()
            let bike = try await bike(of: owner, Samples.identity(number))
            open.append((owner, try await openReport(on: bike.id, of: owner)))
        }
        clock.advance(by: .seconds(1800))
        for search in open { _ = try await close(search.report, of: search.owner) }
        clock.advance(by: .milliseconds(1))
    }

    /// A search that ends after two days.
    fileprivate func endSearch(for bike: Bike, of owner: OwnerID) async throws {
        let report = try await openReport(on: bike.id, of: owner)
        clock.advance(by: .days(2))
        _ = try await close(report, of: owner)
        clock.advance(by: .milliseconds(1))
    }

    /// The counts of a day that begins now.
    fileprivate func counts() async throws -> [ClosedSearches.Count] { try await store.closedSearches(on: now).counts }
}

extension StoreContract {
    private static let nineOthers = ClosedSearches.Count(lasted: .hour, searches: 9)

    /// What became of searches, for odds and plans.
    static let searchEnds = [
        StoreContract("closed searches are counted by when the bike was heard, and by how long they lasted") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            stage.clock.advance(by: .seconds(7200))
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            stage.clock.advance(by: .days(2))
            _ = try await stage.close(report, of: owner)
            try await stage.endSearches(10...17)
            let silent = try await stage.owner()
            let bike = try await stage.bike(of: silent, Samples.identity(2))
            let search = try await stage.openReport(on: bike.id, of: silent)
            stage.clock.advance(by: .seconds(1800))
            _ = try await stage.close(search, of: silent)
            // Not before the end of the moment at which it closed.
            #expect(try await stage.counts().isEmpty)
            stage.clock.advance(by: .milliseconds(1))
            let expected = ClosedSearches(
                until: stage.now, counts: [.init(heardWithin: .day, lasted: .week, searches: 1), nineOthers])
            #expect(try await store.closedSearches(on: stage.now) == expected && expected.searches == 10)
            // They outlive the sightings, the bikes and the accounts.
            stage.clock.advance(by: MissingReport.retention + .seconds(1))
            _ = try await store.deleteOldSightings(limit: 99, at: stage.now)
            try await store.eraseBike(bike, by: stage.act(of: silent))
            let account = try #require(try await store.owner(owner))
            try await store.eraseOwner(account, by: stage.act(of: owner))
            #expect(try await store.closedSearches(on: stage.now) == expected)
        },
        StoreContract("the counts change only with the searches of ten more owners") { store, stage in
            try await stage.endSearches(1...8)
            let owner = try await stage.owner()
            for number in [10, 11] as [UInt16] {
                try await stage.endSearch(for: try await stage.bike(of: owner, Samples.identity(number)), of: owner)
                #expect(try await stage.counts().isEmpty)
            }
            try await stage.endSearches(12...12)
            let first = try await store.closedSearches(on: stage.now)
            #expect(first.searches == 11 && first.until == stage.now)
            try await stage.endSearches(20...28)
            for _ in 1...2 { #expect(try await store.closedSearches(on: stage.now) == first) }
            // An outcome that is erased before it is counted never counts.
            let erased = try await stage.owner()
            try await stage.endSearch(for: try await stage.bike(of: erased, Samples.identity(29)), of: erased)
            let account = try #require(try await store.owner(erased))
            try await store.eraseOwner(account, by: stage.act(of: erased))
            #expect(try await store.closedSearches(on: stage.now) == first)
            try await stage.endSearches(30...30)
            let second = try await store.closedSearches(on: stage.now)
            #expect(second.searches == 21 && second.until == stage.now)
            #expect(second.counts == [.init(lasted: .hour, searches: 19), .init(lasted: .week, searches: 2)])
            #expect(try await store.closedSearches(on: first.until) == first, "for a process whose clock is behind")
        },
        StoreContract("one beacon counts once, whichever bikes it is moved to, and one owner twice in 90 days") {
            store, stage in
            let owner = try await stage.owner()
            var bikes: [Bike] = []
            for number in 1...4 as ClosedRange<UInt16> {
                bikes.append(try await stage.bike(of: owner, Samples.identity(number)))
            }
            func bike(_ index: Int) async throws -> Bike {
                try #require(try await store.bike(bikes[index].id, of: owner))
            }
            for index in 0...2 {
                let searched = try await bike(index)
                #expect(searched.identity == Samples.identity(1))
                try await stage.endSearch(for: searched, of: owner)
                let next = try await bike(index + 1)
                _ = try await store.exchangeBeacons(of: next, with: searched.id, by: stage.act(of: owner))
            }
            try await stage.endSearches(10...18)
            #expect(try await stage.counts() == [nineOthers, .init(lasted: .week, searches: 1)])
            // With other beacons, another one counts, and no third, even if the first bikes are erased.
            try await stage.endSearch(for: try await bike(0), of: owner)
            try await stage.endSearches(20...28)
            #expect(
                try await stage.counts() == [.init(lasted: .hour, searches: 18), .init(lasted: .week, searches: 2)])
            try await store.eraseBike(try await bike(0), by: stage.act(of: owner))
            try await stage.endSearch(for: try await bike(1), of: owner)
            try await stage.endSearches(40...49)
            #expect(
                try await stage.counts() == [.init(lasted: .hour, searches: 28), .init(lasted: .week, searches: 2)])
            stage.clock.advance(by: ClosedSearches.ownersPeriod)
            try await stage.endSearch(for: try await bike(2), of: owner)
            try await stage.endSearches(30...38)
            #expect(
                try await stage.counts() == [.init(lasted: .hour, searches: 37), .init(lasted: .week, searches: 3)])
        },
        StoreContract("a search lasts until its days are used up, not until its report closes") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.openReport(on: bike.id, of: owner, policeReference: nil)
            stage.clock.advance(by: .days(60))
            _ = try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy)
            _ = try await stage.close(report, of: owner)
            try await stage.endSearches(10...18)
            #expect(try await stage.counts() == [nineOthers, .init(lasted: .week, searches: 1)])
        },
        StoreContract("false alarms and dismissed sightings do not count, nor do later searches for the same bike") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let visit = Samples.visit(from: stage.now)
            _ = try await stage.record(visit, by: station)
            _ = try await store.closeReport(
                report.id, on: report.bike, ReportClosure(outcome: .falseAlarm), by: stage.act(of: owner), once: nil)
            for number in 2...4 as ClosedRange<UInt64> {
                let again = try await stage.openReport(on: report.bike, of: owner)
                stage.clock.advance(by: .seconds(60))
                let heard = Samples.visit(number, from: stage.now)
                _ = try await stage.record(heard, by: station)
                if number == 2 {
                    _ = try await store.dismissSighting(
                        heard.id, of: again.id, on: again.bike, owner: owner, at: stage.now)
                }
                stage.clock.advance(by: .days(1))
                _ = try await stage.close(again, of: owner)
            }
            try await stage.endSearches(10...18)
            #expect(try await stage.counts() == [nineOthers, .init(lasted: .week, searches: 1)])
        },
    ]
}
