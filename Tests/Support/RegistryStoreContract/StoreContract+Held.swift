import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// Sightings that are held back, to be reported together.
    static let held = [
        StoreContract("alerts from a station that floods an owner are combined; others are not held back") { _, stage in
            let (_, _, honest) = try await stage.missingBike()
            let liar = try await stage.station("liar", mobile: true)
            for number in 1...9 as ClosedRange<UInt64> {
                _ = try await stage.record(stage.visit(number, kilometresAway: number), by: liar)
                stage.clock.advance(by: .seconds(60))
            }
            let alone = (1...UInt64(AlertRules.stationShare)).map { [$0] }
            #expect(try await stage.told() == alone)
            _ = try await stage.record(Samples.visit(100, from: stage.now), by: honest)
            #expect(try await stage.told().first == [100])
            stage.clock.advance(by: AlertRules.shareWindow - .seconds(9 * 60 + 1))
            #expect(try await stage.told() == [])
            stage.clock.advance(by: .seconds(1))
            #expect(try await stage.told() == [[9, 8, 7]])
        },
        StoreContract("sightings from the night are combined into one alert in the morning") { _, stage in
            let (_, report, station) = try await stage.missingBike(quietFor: .seconds(3600))
            for number in 1...3 as ClosedRange<UInt64> {
                _ = try await stage.record(Samples.visit(number, from: stage.now), by: station)
                stage.clock.advance(by: .seconds(700))
            }
            #expect(try await stage.told() == [])
            stage.clock.advance(by: .seconds(3600 - 3 * 700))
            let morning = try await stage.deliver()
            #expect(morning.count == 1)
            let digest = try #require(morning.first?.content.digest)
            #expect(digest.sightings.map(\.id.low) == [3, 2, 1])
            #expect((digest.count, digest.report) == (3, report.id))
            #expect(morning.first?.isUrgent == false)
            _ = try await stage.record(Samples.visit(4, from: stage.now), by: station)
            #expect(try await stage.told() == [[4]])
        },
        StoreContract("a single sighting from the night gets a normal alert, and a dismissed one gets none") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike(quietFor: .seconds(3600))
            let visits = try await stage.tellTwice(by: station)
            _ = try await store.dismissSighting(
                visits[0].id, of: report.id, on: report.bike, owner: owner, at: stage.now)
            stage.clock.advance(by: .seconds(2900))
            let contents = try await stage.deliver().compactMap(\.content.sighting?.sighting.id)
            #expect(contents == [visits[1].id])
            #expect(try await store.nextAlertDue() == nil)
        },
        StoreContract("a digest of only dismissed sightings is not sent") { store, stage in
            let (owner, report, station) = try await stage.missingBike(quietFor: .seconds(3600))
            let visit = Samples.visit(1, from: stage.now)
            _ = try await stage.record(visit, by: station)
            _ = try await store.dismissSighting(visit.id, of: report.id, on: report.bike, owner: owner, at: stage.now)
            stage.clock.advance(by: .seconds(3600))
            #expect(try await stage.newlyTold() == [])
            #expect(try await store.nextAlertDue() == nil)
        },
        StoreContract("a digest leaves out sightings under quarantine, and sightings without an alert get no update") {
            store, stage in
            let (_, _, station) = try await stage.missingBike(quietFor: .seconds(3600))
            let visits = try await stage.tellTwice(by: station)
            _ = try await store.revokeStation(
                station, quarantineSince: visits[1].firstSeen, by: .operator(stage.newID()), at: stage.now)
            stage.clock.advance(by: .seconds(2900))
            #expect(try await stage.deliver().map(\.content.sighting?.sighting.id) == [visits[0].id])
            try await stage.judge()
            #expect(try await stage.deliver() == [])
            #expect(try await store.nextAlertDue() == nil)
        },
        StoreContract("a failed digest is sent again with the same sightings, later ones go into another") {
            store, stage in
            let (_, _, station) = try await stage.missingBike(quietFor: .seconds(3600))
            _ = try await stage.tellTwice(by: station)
            stage.clock.advance(by: .seconds(2900))
            let first = try #require(try await stage.claim().first)
            #expect(first.content.digest?.count == 2)
            let again = stage.now.advanced(by: .seconds(5))
            try await store.settle(first.id, attempt: 1, as: .retry(at: again, reason: "busy"), at: stage.now)
            stage.clock.advance(by: .seconds(5))
            let second = try #require(try await stage.claim().first)
            #expect(second.id == first.id && second.content == first.content)
        },
        StoreContract("notices about acts of a possible thief are sent at night, too; reminders wait") { _, stage in
            let (owner, report, _) = try await stage.missingBike(quietFor: .seconds(3600))
            _ = try await stage.close(report, of: owner)
            #expect(try await stage.deliver().map(\.content.notice?.event) == [.reportClosed])
        },
    ]
}

extension Stage {
    /// A visit from a mobile station, north of the other stations.
    func visit(_ number: UInt64, kilometresAway: UInt64) -> Visit {
        var visit = Samples.visit(number, from: now, lasting: .zero)
        visit.place = Place(latitude: 51.5 + Double(kilometresAway) / 111, longitude: -0.12, accuracy: 10)
        return visit
    }

    /// Records two visits, 700 s apart, so that each has its own alert.
    func tellTwice(by station: StationID) async throws -> [Visit] {
        let first = Samples.visit(1, from: now)
        _ = try await record(first, by: station)
        clock.advance(by: .seconds(700))
        let second = Samples.visit(2, from: now)
        _ = try await record(second, by: station)
        return [first, second]
    }
}
