import Beacons
import Evidence
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let plausibility = [
        StoreContract("a fixed station's sighting has the enrolled place, and is disputed if it reports another") {
            _, stage in
            let (owner, report, station) = try await stage.missingBike()
            var visit = Samples.visit(from: stage.now)
            visit.place = Place(latitude: 51.6, longitude: -0.12, accuracy: 5)
            _ = try await stage.record(visit, by: station)
            let sighting = try #require(try await stage.sightings(of: report, by: owner).first)
            #expect(sighting.place == Samples.place && sighting.claimedPlace == visit.place)
            #expect(sighting.level == .disputed && sighting.reasons == [.otherPlace])
        },
        StoreContract("a receiver's place is shown if it is near its station, and changes no judgement") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let near = Place(latitude: 51.503, longitude: -0.12, accuracy: 2)
            let van = try await stage.station("van", mobile: true)
            for (number, place) in [near, Place(latitude: 51.504, longitude: -0.12)].enumerated() {
                var visit = Samples.visit(UInt64(number), from: stage.now)
                visit.receiver = VenueReceiver(name: "bar", place: place)
                _ = try await stage.record(visit, by: station)
                _ = try await stage.record(visit, by: van)
            }
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.map(\.receiver?.name) == ["bar", "bar", "bar", "bar"])
            #expect(sightings.map(\.receiver?.place) == [near, nil, nil, nil], "333 m, mobile, 445 m, mobile")
            #expect(sightings.allSatisfy { $0.place == Samples.place && $0.claimedPlace == nil && $0.reasons.isEmpty })
        },
        StoreContract("a later report names a receiver that hears better, and a weaker one changes nothing") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            var visit = Samples.visit(from: stage.now)
            for (name, strongest, expected) in [("bar", -70, "bar"), ("door", -60, "door"), ("bar", -65, "door")] {
                visit.receiver = VenueReceiver(name: name)
                visit.rssi = SignalStrength(min: -80, max: strongest)
                _ = try await stage.record(visit, by: station)
                #expect(try await stage.sightings(of: report, by: owner).map(\.receiver?.name) == [expected])
            }
            // The audit has an entry for each of the two receivers.
            let path = ReportPath(report, of: owner)
            let evidence = try await store.evidence(of: path, limit: 10, at: stage.now)
            #expect(evidence.records.map { $0.record["receiver"] } == ["door"])
            #expect(evidence.audit.count { $0.event?.action == AuditAction.sightingChanged.rawValue } == 1)
            _ = try await store.verifyAudit(nil, against: [])
        },
        StoreContract("a move takes effect at its time and settles the disputes since then") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let garage = Place(latitude: 51.6, longitude: -0.12, accuracy: 5)
            stage.clock.advance(by: .seconds(3600))
            let before = Samples.visit(1, from: stage.now)
            stage.clock.advance(by: .seconds(3600))
            var after = Samples.visit(2, from: stage.now)
            after.place = garage
            _ = try await stage.record(before, after, by: station)
            stage.clock.advance(by: .seconds(3600))
            let patch = StationPatch(place: garage, since: after.firstSeen)
            let moved = try await store.changeStation(
                station, patch, version: 1, by: .operator(stage.newID()), at: stage.now
            )
            #expect(moved.version == 2)
            #expect(moved.station.place == garage && moved.station.placedSince == after.firstSeen)
            for _ in 1...2 {
                let sightings = try await stage.sightings(of: report, by: owner)
                #expect(sightings.map(\.place) == [Samples.place, garage])
                #expect(sightings.map(\.level) == [.possible, .possible], "before and after it is stored")
                try await stage.judge()
            }
            let earlier = StationPatch(place: Samples.place, since: before.firstSeen)
            await #expect(throws: DomainError.self) {
                _ = try await store.changeStation(
                    station, earlier, version: nil, by: .operator(stage.newID()), at: stage.now
                )
            }
            await #expect(throws: DomainError.changedMeanwhile("station")) {
                _ = try await store.changeStation(
                    station, StationPatch(name: "Bar"), version: 1, by: .operator(stage.newID()), at: stage.now
                )
            }
        },
        StoreContract("a mobile station has the place that it reports, or else the enrolled one") { _, stage in
            let (owner, report, _) = try await stage.missingBike()
            let van = try await stage.station("van", mobile: true)
            var visit = Samples.visit(1, from: stage.now)
            visit.place = Place(latitude: 1, longitude: 2)
            _ = try await stage.record(visit, Samples.visit(2, from: stage.now), by: van)
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.map(\.place) == [visit.place, Samples.place])
            #expect(sightings.allSatisfy { $0.level == .possible })
        },
        StoreContract("a second venue corroborates the first sighting, too, and distant ones dispute both") {
            _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let bar = try await stage.station("bar", venue: "Bar", place: Place(latitude: 51.51, longitude: -0.12))
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            _ = try await stage.record(Samples.visit(2, from: stage.now.advanced(by: .seconds(900))), by: bar)
            #expect(try await stage.sightings(of: report, by: owner).map(\.reasons) == [[.otherVenue], [.otherVenue]])
            let far = try await stage.station("far", venue: "Far", place: Place(latitude: 40, longitude: -0.12))
            _ = try await stage.record(Samples.visit(3, from: stage.now.advanced(by: .seconds(1800))), by: far)
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.map(\.level) == [.disputed, .disputed, .disputed])
            #expect(
                sightings.map { Set($0.reasons) } == [[.otherVenue, .tooFast], [.otherVenue, .tooFast], [.tooFast]])
        },
        StoreContract("staff's answers support or dispute a sighting, and the last answer counts") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            var visit = Samples.visit(from: stage.now)
            visit.confirmation = VisitConfirmation(answer: .seen, time: stage.now.advanced(by: .seconds(5)))
            _ = try await stage.record(visit, by: station)
            #expect(try await stage.sightings(of: report, by: owner).first?.level == .corroborated)
            visit.confirmation = VisitConfirmation(answer: .absent, time: stage.now)
            _ = try await stage.record(visit, by: station)
            #expect(try await stage.sightings(of: report, by: owner).first?.level == .corroborated)
            visit.confirmation = VisitConfirmation(answer: .absent, time: stage.now.advanced(by: .seconds(9)))
            _ = try await stage.record(visit, by: station)
            let sighting = try #require(try await stage.sightings(of: report, by: owner).first)
            #expect(sighting.level == .disputed && sighting.reasons == [.notSeenAtVenue])
            #expect(sighting.confirmation == visit.confirmation)
        },
        StoreContract("a sighting reported more than an hour after its time is late") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let early = stage.now
            stage.clock.advance(by: .seconds(3660))
            _ = try await stage.record(
                Samples.visit(1, from: early), Samples.visit(2, from: early, lasting: .seconds(59)),
                Samples.visit(3, from: stage.now), by: station
            )
            #expect(try await stage.sightings(of: report, by: owner).map(\.late) == [false, true, false])
        },
        StoreContract("a station that reports everything is disputed from its first sighting of that hour") {
            _, stage in
            let owner = try await stage.owner()
            let station = try await stage.station()
            var reports: [MissingReport] = []
            for minor in 1...12 as ClosedRange<UInt16> {
                let bike = try await stage.bike(of: owner, Samples.identity(minor))
                reports.append(try await stage.openReport(on: bike.id, of: owner))
            }
            for (minor, report) in zip(1...12 as ClosedRange<UInt16>, reports) {
                // Whatever identifiers the station gives to its visits.
                let visit = Samples.visit(UInt64(minor), of: Samples.identity(minor), from: stage.now)
                _ = try await stage.record(visit, by: station)
                // Followers of the earlier reports must learn of it, too.
                let woken = try await stage.woken(among: reports) { try await stage.judge() }
                #expect(woken == (minor == 11 ? Set(reports[..<11].map(\.id)) : []))
                let expected: [SightingReason] = minor > 10 ? [.reportsEverything] : []
                #expect(try await stage.sightings(of: report, by: owner).map(\.reasons) == [expected])
            }
            #expect(try await stage.sightings(of: reports[0], by: owner).map(\.reasons) == [[.reportsEverything]])
        },
        StoreContract("a dismissed sighting is marked once, causes no more alerts and supports no others") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let bar = try await stage.station("bar", venue: "Bar")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: bar)
            let first = try await store.dismissSighting(
                VisitID(high: 1, low: 1), of: report.id, on: report.bike, owner: owner, at: stage.now
            )
            #expect(first.dismissed == stage.now)
            let dismissal = stage.now
            stage.clock.advance(by: .seconds(5))
            let again = try await store.dismissSighting(
                VisitID(high: 1, low: 1), of: report.id, on: report.bike, owner: owner, at: stage.now
            )
            #expect(again.dismissed == dismissal)
            #expect(try await stage.sightings(of: report, by: owner).map(\.reasons) == [[], []])
            #expect(try await stage.claim().compactMap(\.content.sighting).count == 1)
            await #expect(throws: DomainError.notFound("sighting")) {
                _ = try await store.dismissSighting(
                    VisitID(high: 9, low: 9), of: report.id, on: report.bike, owner: owner, at: stage.now
                )
            }
        },
        StoreContract("each change of a sighting is the next revision of its report") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let changes = { (revision: Int64) in
                try await store.sightingChanges(
                    of: ReportPath(report, of: owner), after: revision, limit: 10
                )
            }
            _ = try await stage.record(
                Samples.visit(1, from: stage.now), Samples.visit(2, from: stage.now), by: station)
            let first = try await changes(0)
            #expect(first.map(\.sighting.id.low) == [1, 2])
            let last = try #require(first.last).revision
            #expect(try await changes(last) == [])
            // A revision from before a restore of an older backup: start from the beginning.
            #expect(try await changes(last + 1).map(\.sighting.id.low) == [1, 2])
            #expect(try await changes(.max).count == 2)
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            #expect(try await changes(last) == [], "nothing has changed")
            _ = try await stage.record(Samples.visit(1, from: stage.now, lasting: .seconds(300)), by: station)
            let second = try await changes(last)
            #expect(second.map(\.sighting.id.low) == [1])
            #expect(try #require(second.first).revision > last)
        },
    ]
}
