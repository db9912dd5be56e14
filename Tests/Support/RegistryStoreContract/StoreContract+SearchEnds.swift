import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// What became of searches, for odds and plans.
    static let searchEnds = [
        StoreContract("closed searches are counted by when the bike was heard, and by how long they lasted") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            stage.clock.advance(by: .seconds(7200))
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            stage.clock.advance(by: .seconds(2 * 86_400))
            _ = try await stage.close(report, of: owner)
            let silent = try await stage.bike(of: owner, Samples.identity(2))
            let search = try await stage.openReport(on: silent.id, of: owner)
            stage.clock.advance(by: .seconds(1800))
            _ = try await stage.close(search, of: owner)
            let expected: [ClosedSearches.Count] = [
                .init(heardWithin: .day, lasted: .week, searches: 1), .init(lasted: .hour, searches: 1),
            ]
            // Not before the end of the moment at which they closed.
            #expect(try await store.closedSearches(until: stage.now).searches == 1)
            stage.clock.advance(by: .milliseconds(1))
            let closed = try await store.closedSearches(until: stage.now)
            #expect(closed == ClosedSearches(until: stage.now, counts: expected) && closed.searches == 2)
            // They outlive the sightings, and end with the bike.
            stage.clock.advance(by: MissingReport.retention + .seconds(1))
            #expect(try await store.deleteOldSightings(limit: 9, at: stage.now) == 2)
            #expect(try await store.closedSearches(until: stage.now).counts == expected)
            try await store.eraseBike(silent, by: stage.act(of: owner))
            #expect(try await store.closedSearches(until: stage.now).counts == Array(expected.prefix(1)))
        },
        StoreContract("a search lasts until its days are used up, not until its report closes") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.openReport(on: bike.id, of: owner, policeReference: nil)
            stage.clock.advance(by: .seconds(60 * 86_400))
            _ = try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy)
            _ = try await stage.close(report, of: owner)
            stage.clock.advance(by: .seconds(1))
            #expect(
                try await store.closedSearches(until: stage.now).counts == [.init(lasted: .week, searches: 1)])
        },
        StoreContract("false alarms, dismissed sightings and earlier searches for the same bike do not count") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let visit = Samples.visit(from: stage.now)
            _ = try await stage.record(visit, by: station)
            _ = try await store.closeReport(
                report.id, on: report.bike, ReportClosure(outcome: .falseAlarm), by: stage.act(of: owner), once: nil)
            stage.clock.advance(by: .seconds(1))
            #expect(try await store.closedSearches(until: stage.now).searches == 0)
            for number in 2...4 as ClosedRange<UInt64> {
                let again = try await stage.openReport(on: report.bike, of: owner)
                stage.clock.advance(by: .seconds(60))
                let heard = Samples.visit(number, from: stage.now)
                _ = try await stage.record(heard, by: station)
                if number == 4 {
                    _ = try await store.dismissSighting(
                        heard.id, of: again.id, on: again.bike, owner: owner, at: stage.now)
                }
                stage.clock.advance(by: .seconds(86_400))
                _ = try await stage.close(again, of: owner)
            }
            stage.clock.advance(by: .seconds(1))
            #expect(
                try await store.closedSearches(until: stage.now).counts == [.init(lasted: .week, searches: 1)])
        },
    ]
}
