import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let sightings = [
        StoreContract("a visit by a missing bike becomes a sighting that its owner can read") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let visit = Samples.visit(from: stage.now)
            let outcome = try await stage.record(visit, by: station)
            let appearance = BikeAppearance(kind: .bicycle, make: "Brompton", model: "C Line", colours: [.green])
            #expect(
                outcome == [
                    .stored(StoredVisit(appearance: appearance, report: report.id, isNew: true, alerts: 1))
                ]
            )
            let sighting = try #require(try await stage.sightings(of: report, by: owner).first)
            #expect(sighting.id == visit.id)
            #expect(sighting.report == report.id)
            #expect(sighting.station == Sighting.StationSummary(id: station, name: "Café"))
            #expect(sighting.level == .possible && sighting.reasons == [])
            #expect(sighting.received == stage.now)
            #expect(sighting.count == 5)
            #expect(sighting.proximity == .near)
        },
        StoreContract("a sighting from a station that reports no place has the station's enrolled place") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            #expect(try await stage.sightings(of: report, by: owner).map(\.place) == [Samples.place])
        },
        StoreContract("an unknown beacon and a bike that is not missing leave no trace") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.bike(of: owner, Samples.identity(2))
            let outcomes = try await stage.record(
                Samples.visit(1, of: Samples.identity(2), from: stage.now),
                Samples.visit(2, of: Samples.identity(3), from: stage.now), by: station
            )
            #expect(outcomes == [.ignored, .ignored])
            #expect(try await stage.sightings(of: report, by: owner) == [])
            #expect(try await stage.claim() == [])
        },
        StoreContract("a visit is accepted or refused by its own time, however late it is reported") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let missing = stage.now
            stage.clock.advance(by: .seconds(3600))
            let closed = try await stage.close(report, of: owner)
            stage.clock.advance(by: .days(1))
            let outcomes = try await stage.record(
                Samples.visit(1, from: missing.advanced(by: .seconds(-600))),
                Samples.visit(2, from: missing.advanced(by: .seconds(-30))),
                Samples.visit(3, from: missing.advanced(by: .seconds(1800))),
                Samples.visit(4, from: try #require(closed.closed).advanced(by: .seconds(1))), by: station
            )
            #expect(outcomes.map(\.isStored) == [false, true, true, false])
            #expect(try await stage.sightings(of: report, by: owner).map(\.id.low) == [2, 3])
        },
        StoreContract("reports of one visit merge in any order, with one alert") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            var enter = Samples.visit(from: stage.now, lasting: .seconds(5))
            enter.count = 2
            var lost = Samples.visit(from: stage.now, lasting: .seconds(300))
            lost.ended = true
            lost.count = 90
            lost.proximity = .immediate
            let first = try await stage.record(lost, enter, lost, by: station)
            #expect(first.map(\.alerts) == [1, 0, 0])
            let second = try await stage.record(enter, by: station)
            #expect(second.map(\.alerts) == [0])
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.count == 1)
            #expect(sightings.first?.lastSeen == lost.lastSeen)
            #expect(sightings.first?.count == 90)
            #expect(sightings.first?.ended == true)
            #expect(sightings.first?.proximity == .immediate)
            #expect(try await stage.claim().count == 1)
        },
        StoreContract("a stored visit is still merged after its report closed, up to the closure") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let seen = stage.now
            _ = try await stage.record(Samples.visit(from: seen), by: station)
            stage.clock.advance(by: .seconds(120))
            _ = try await stage.close(report, of: owner)
            stage.clock.advance(by: .seconds(3600))
            let whole = Samples.visit(from: seen, lasting: .seconds(3720))
            let outcome = try await stage.record(whole, Samples.visit(from: stage.now), by: station)
            #expect(outcome.map(\.isStored) == [true, false])
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.map(\.lastSeen) == [seen.advanced(by: .seconds(120))])
        },
        StoreContract("a station cannot follow a bike after its report closed, whatever times it reports") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let start = stage.now
            stage.clock.advance(by: .seconds(300))
            let first = try await stage.record(Samples.visit(1, from: start), by: station)
            #expect(first.map(\.isMissing) == [true])
            let closed = try #require(try await stage.close(report, of: owner).closed)
            stage.clock.advance(by: .days(2))
            var later = Samples.visit(1, from: stage.now)
            later.count = 900
            later.rssi = SignalStrength(min: -99, max: -20)
            let far = Samples.visit(2, from: start, lasting: start.duration(to: stage.now))
            let outcomes = try await stage.record(
                later, Samples.visit(1, from: start, lasting: start.duration(to: stage.now)), far, by: station)
            // New data is from after the closure, or from a visit that was not reported in time.
            #expect(outcomes.map(\.isMissing) == [false, false, false])
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.allSatisfy { $0.firstSeen >= start && $0.lastSeen <= closed })
            #expect(sightings.map(\.lastSeen) == [closed, closed])
            #expect(try await store.verifyAudit(nil, against: []).contents?.sightings == 2)
        },
        StoreContract(
            "a late visit is kept up to the closure, and the station does not learn that the bike was missing"
        ) { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let visit = Samples.visit(from: stage.now, lasting: .seconds(7200))
            stage.clock.advance(by: .seconds(3600))
            let closed = try #require(try await stage.close(report, of: owner).closed)
            stage.clock.advance(by: .seconds(3600))
            #expect(try await stage.record(visit, by: station).map(\.isMissing) == [false])
            #expect(try await stage.record(visit, by: station).map(\.isMissing) == [false])
            let sighting = try #require(try await stage.sightings(of: report, by: owner).first)
            #expect(sighting.firstSeen == visit.firstSeen && sighting.lastSeen == closed)
        },
        StoreContract("two stations may use the same identifier for different visits") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let other = try await stage.station("other")
            let visit = Samples.visit(from: stage.now)
            _ = try await stage.record(visit, by: station)
            let outcome = try await stage.record(visit, by: other)
            #expect(outcome.map(\.alerts) == [1])
            #expect(Set(try await stage.sightings(of: report, by: owner).map(\.station.id)) == [station, other])
        },
        StoreContract("a visit cannot change its beacon or its stay") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let other = try await stage.bike(of: owner, Samples.identity(2))
            _ = try await stage.openReport(on: other.id, of: owner)
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            let outcomes = try await stage.record(
                Samples.visit(1, of: Samples.identity(2), from: stage.now), Samples.visit(1, stay: 9, from: stage.now),
                by: station
            )
            #expect(outcomes == [.contradicts(field: "identity"), .contradicts(field: "stay")])
            #expect(try await stage.sightings(of: report, by: owner).count == 1)
        },
        StoreContract("the continuation of a long stay is stored without another alert") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let first = try await stage.record(Samples.visit(1, stay: 7, from: stage.now), by: station)
            stage.clock.advance(by: .days(1))
            let second = try await stage.record(Samples.visit(2, stay: 7, from: stage.now), by: station)
            #expect((first + second).map(\.alerts) == [1, 0])
            #expect(try await stage.sightings(of: report, by: owner).count == 2)
        },
        StoreContract("sightings are paged in the order in which they were stored, newest last") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            for number in [5, 3, 4] as [UInt64] {
                _ = try await stage.record(Samples.visit(number, from: stage.now), by: station)
            }
            let first = try await store.sightings(
                of: ReportPath(report, of: owner), PageRequest(limit: 2)
            )
            #expect(first.items.map(\.id.low) == [5, 3])
            let second = try await store.sightings(
                of: ReportPath(report, of: owner), PageRequest(after: first.next, limit: 2)
            )
            #expect(second.items.map(\.id.low) == [4])
            #expect(second.next == nil)
        },
    ]
}

extension RecordedVisit {
    /// Whether the visit was stored, and its station may learn that the bike is missing.
    var isMissing: Bool { if case .stored(let stored) = self { stored.isMissing } else { false } }

    var isStored: Bool { if case .stored = self { true } else { false } }

    /// The other reports whose sightings changed; nil if nothing was stored.
    var otherReports: Set<ReportID>? { if case .stored(let stored) = self { stored.otherReports } else { nil } }

    /// The number of queued alerts; nil if nothing was stored.
    var alerts: Int? { if case .stored(let stored) = self { stored.alerts } else { nil } }
}
