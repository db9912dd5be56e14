import Evidence
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

extension StoreContract {
    static let reopening = [
        StoreContract("a stay that continues after a mistaken closure is a sighting of the new report, with an alert") {
            store, stage in
            let (owner, first, station) = try await stage.missingBike()
            let seen = stage.now
            _ = try await stage.record(Samples.visit(1, from: seen), by: station)
            #expect(try await stage.told() == [[1]])
            stage.clock.advance(by: .seconds(240))
            let closed = stage.now
            _ = try await stage.close(first, of: owner)
            _ = try await stage.deliver()
            let second = try await stage.openReport(on: first.bike, of: owner)
            stage.clock.advance(by: .seconds(60))
            let update = Samples.visit(1, from: seen, lasting: .seconds(300))
            let outcome = try await stage.record(update, by: station)
            guard case .stored(let stored) = outcome.first else {
                Issue.record("the bike is missing")
                return
            }
            #expect(stored.report == second.id && stored.isNew && stored.alerts == 1)
            #expect(try await stage.told() == [[1]])
            let before = try await stage.sightings(of: first, by: owner)
            #expect(before.map(\.firstSeen) == [seen] && before.map(\.lastSeen) == [closed])
            let after = try await stage.sightings(of: second, by: owner)
            #expect(after.map(\.firstSeen) == [closed] && after.map(\.lastSeen) == [update.lastSeen])
            // The part in each report is acknowledged and dismissed separately.
            _ = try await store.dismissSighting(
                update.id, of: first.id, on: first.bike, owner: owner, at: stage.now)
            #expect(try await stage.sightings(of: second, by: owner).map(\.dismissed) == [nil])
            // Reporting the visit again changes nothing.
            #expect(try await stage.record(update, by: station).map(\.alerts) == [0])
            #expect(try await stage.told() == [])
        },
        StoreContract(
            "a late visit belongs to the newest report that covers it, although an earlier report covers it too"
        ) { store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let station = try await stage.station()
            let since = stage.now
            stage.clock.advance(by: .seconds(3600))
            let first = try await stage.openReport(on: bike.id, of: owner, missingSince: stage.now)
            stage.clock.advance(by: .seconds(3600))
            _ = try await stage.close(first, of: owner)
            stage.clock.advance(by: .seconds(3600))
            let second = try await stage.openReport(on: bike.id, of: owner, missingSince: since)
            _ = try await stage.deliver()
            // Before the first report, during it, across its closing, and between both.
            for (number, minutes) in [(1, 30), (2, 90), (3, 119), (4, 150)] as [(UInt64, Int)] {
                let visit = Samples.visit(
                    number, from: since.advanced(by: .seconds(60 * minutes)), lasting: .seconds(120))
                for isNew in [true, false] {
                    guard case .stored(let stored) = try await stage.record(visit, by: station).first else {
                        Issue.record("the bike is missing")
                        return
                    }
                    #expect(stored.report == second.id && stored.isNew == isNew && (isNew || stored.alerts == 0))
                }
            }
            #expect(try await stage.told().flatMap(\.self).contains(1))
            #expect(try await stage.sightings(of: first, by: owner).isEmpty)
            let sightings = try await stage.sightings(of: second, by: owner)
            #expect(sightings.map(\.id.low) == [1, 2, 3, 4])
            #expect(sightings.allSatisfy { $0.firstSeen.advanced(by: .seconds(120)) == $0.lastSeen })
            let evidence = try await store.evidence(of: ReportPath(second, of: owner), limit: 9, at: stage.now)
            #expect(evidence.sightings == sightings && evidence.records.count == 4)
            #expect(try await store.verifyAudit(nil, against: []).contents?.sightings == 4)
        },
        StoreContract("a visit that a closed report has stays there, and alerts nobody again") { store, stage in
            let (owner, first, station) = try await stage.missingBike()
            let seen = stage.now
            _ = try await stage.record(Samples.visit(1, from: seen), by: station)
            #expect(try await stage.told() == [[1]])
            stage.clock.advance(by: .seconds(600))
            let closed = stage.now
            _ = try await stage.close(first, of: owner)
            stage.clock.advance(by: .seconds(600))
            let second = try await stage.openReport(
                on: first.bike, of: owner, missingSince: seen.advanced(by: .seconds(-600)))
            _ = try await stage.deliver()
            var visit = Samples.visit(1, from: seen, lasting: .seconds(300))
            #expect(try await stage.record(visit, by: station).map(\.alerts) == [0])
            visit.lastSeen = closed
            visit.ended = true
            #expect(try await stage.record(visit, by: station).map(\.alerts) == [0])
            #expect(try await stage.told() == [])
            #expect(try await stage.sightings(of: second, by: owner).isEmpty)
            #expect(try await stage.sightings(of: first, by: owner).map(\.ended) == [true])
            // What was heard after the closing is new.
            visit.lastSeen = closed.advanced(by: .seconds(60))
            #expect(try await stage.record(visit, by: station).map(\.alerts) == [1])
            #expect(try await stage.sightings(of: first, by: owner).map(\.lastSeen) == [closed])
            #expect(try await stage.sightings(of: second, by: owner).map(\.firstSeen) == [closed])
            for report in [first, second] {
                let evidence = try await store.evidence(of: ReportPath(report, of: owner), limit: 9, at: stage.now)
                #expect(evidence.records.count == 1)
            }
            #expect(try await store.verifyAudit(nil, against: []).contents?.sightings == 2)
        },
        StoreContract("mistaken closures lead to the same sightings in any order of reports") { _, stage in
            var generator = SeededGenerator(seed: 5)
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let station = try await stage.station()
            var outcomes: Set<[String]> = []
            for minor in 1...12 as ClosedRange<UInt16> {
                // The last report covers the whole visit, or each report only the time since the one before.
                let isAgain = minor > 6
                let bike = try await stage.bike(of: owner, Samples.identity(minor))
                let start = stage.now
                var reports: [MissingReport] = []
                for number in 0..<3 {
                    let report = try await stage.openReport(
                        on: bike.id, of: owner, missingSince: isAgain ? start : nil)
                    reports.append(report)
                    stage.clock.advance(by: .seconds(100))
                    if number < 2 { _ = try await stage.close(report, of: owner) }
                    stage.clock.advance(by: .seconds(10))
                }
                _ = try await stage.deliver()
                let told = [20, 90, 150, 220, 260].map { seconds in
                    var visit = Samples.visit(1, of: Samples.identity(minor), from: start, lasting: .seconds(seconds))
                    visit.id = VisitID(high: UInt64(minor), low: 1)
                    visit.stay = StayID(high: UInt64(minor), low: 1)
                    return visit
                }
                for visit in told.shuffled(using: &generator) { _ = try await stage.record(visit, by: station) }
                let sightings = try await reports.mapAsync { try await stage.sightings(of: $0, by: owner) }
                let times = sightings.map { sightings in
                    sightings.map { "\(start.duration(to: $0.firstSeen)) \(start.duration(to: $0.lastSeen))" }.joined()
                }
                outcomes.insert(times)
                #expect(sightings.map(\.count) == (isAgain ? [0, 0, 1] : [1, 1, 1]))
                stage.clock.advance(by: .seconds(9000))
            }
            #expect(outcomes.count == 2)
        },
        StoreContract("a station's visits across a mistaken closure are judged again with both reports") {
            store, stage in
            let (owner, first, station) = try await stage.missingBike()
            let seen = stage.now
            for number in 1...3 as ClosedRange<UInt64> {
                _ = try await stage.record(Samples.visit(number, from: seen), by: station)
            }
            stage.clock.advance(by: .seconds(30))
            _ = try await stage.close(first, of: owner)
            let second = try await stage.openReport(on: first.bike, of: owner)
            stage.clock.advance(by: .seconds(60))
            for number in 1...3 as ClosedRange<UInt64> {
                _ = try await stage.record(Samples.visit(number, from: seen, lasting: .seconds(90)), by: station)
            }
            _ = try await store.revokeStation(
                station, quarantineSince: seen, by: .operator(stage.newID()), at: stage.now)
            try await stage.judge(limit: 1)
            for report in [first, second] {
                let sightings = try await stage.sightings(of: report, by: owner)
                #expect(sightings.map(\.reasons) == Array(repeating: [.quarantined], count: 3))
            }
        },
    ]
}

extension Array {
    fileprivate func mapAsync<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
