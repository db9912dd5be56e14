import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// Tests of beacons that need no proof, and where bikes are left.
    static let beaconTests = [
        StoreContract("a test lists a beacon until a station hears it, and tells its owner only when") { store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let station = try await stage.station()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            #expect(bike.test == nil)
            let tested = try await store.testBeacon(of: bike.id, by: stage.act(of: owner))
            #expect(tested.test == BeaconTest(ends: stage.now.advanced(by: BeaconTest.length)))
            #expect(try await store.missingList().identities == [bike.identity])
            stage.clock.advance(by: .seconds(60))
            let heard = stage.now
            let visit = Samples.visit(of: bike.identity, from: heard)
            #expect(try await stage.record(visit, by: station) == [.ignored])
            #expect(try await store.bike(bike.id, of: owner)?.test == BeaconTest(heard: heard))
            #expect(try await store.missingList().identities == [])
            #expect(try await stage.deliver().isEmpty)
            // It is no sighting, also not of a later report, and the time of the first visit stays.
            stage.clock.advance(by: .seconds(60))
            #expect(try await stage.record(visit, by: station) == [.ignored])
            #expect(try await store.bike(bike.id, of: owner)?.test == BeaconTest(heard: heard))
            let report = try await stage.openReport(on: bike.id, of: owner)
            let sightings = try await store.sightings(
                of: ReportPath(report.id, on: bike.id, of: owner), PageRequest(limit: 9))
            #expect(sightings.items == [])
            // A missing bike is on the list already.
            #expect(try await store.testBeacon(of: bike.id, by: stage.act(of: owner)).test?.ends == nil)
        },
        StoreContract("a test that nobody hears ends, and an owner runs one at a time") { store, stage in
            let owner = try await stage.owner()
            let bikes = [
                try await stage.bike(of: owner, Samples.identity(1)),
                try await stage.bike(of: owner, Samples.identity(2)),
            ]
            for bike in bikes { _ = try await store.testBeacon(of: bike.id, by: stage.act(of: owner)) }
            #expect(try await store.missingList().identities == [bikes[1].identity])
            stage.clock.advance(by: BeaconTest.length)
            #expect(try await store.endBeaconTests(limit: 9, at: stage.now) == 1)
            #expect(try await store.missingList().identities == [])
            #expect(try await store.bike(bikes[1].id, of: owner)?.test == nil)
            _ = try await store.testBeacon(of: bikes[0].id, by: stage.act(of: owner))
            _ = try await store.suspendOwner(owner, reason: nil, by: stage.operatorAct)
            #expect(try await store.missingList().identities == [])
            await #expect(throws: DomainError.ownerSuspended) {
                _ = try await store.testBeacon(of: bikes[0].id, by: stage.act(of: owner))
            }
        },
        StoreContract("a beacon rests after a successful test, whoever owns it, and tests are few") { store, stage in
            let owner = try await stage.owner()
            let station = try await stage.station()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let other = try await stage.bike(of: owner, Samples.identity(2))
            _ = try await store.testBeacon(of: bike.id, by: stage.act(of: owner))
            _ = try await stage.record(Samples.visit(of: bike.identity, from: stage.now), by: station)
            stage.clock.advance(by: .seconds(3600))
            await #expect(throws: DomainError.tooManyToday(.hearings, retryAfter: .seconds(5 * 3600))) {
                _ = try await store.testBeacon(of: bike.id, by: stage.act(of: owner))
            }
            // The beacon takes its rest along.
            let moved = try await store.exchangeBeacons(
                of: try #require(try await store.bike(other.id, of: owner)), with: bike.id, by: stage.act(of: owner))
            await #expect(throws: DomainError.tooManyToday(.hearings, retryAfter: .seconds(5 * 3600))) {
                _ = try await store.testBeacon(of: moved.id, by: stage.act(of: owner))
            }
            for _ in 1..<10 { _ = try await store.testBeacon(of: bike.id, by: stage.act(of: owner)) }
            await #expect(throws: DomainError.tooManyToday(.hearings, retryAfter: .seconds(23 * 3600))) {
                _ = try await store.testBeacon(of: bike.id, by: stage.act(of: owner))
            }
            stage.clock.advance(by: .days(1))
            #expect(try await store.testBeacon(of: moved.id, by: stage.act(of: owner)).test?.ends != nil)
        },
        StoreContract("only the owner sees where a bike is left, one place at a time, for a month") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let place = Place(latitude: 51.5, longitude: -0.12, accuracy: 8)
            _ = try await store.parkBike(bike.id, at: Samples.place, by: stage.act(of: owner))
            stage.clock.advance(by: .seconds(60))
            let parked = try await store.parkBike(bike.id, at: place, by: stage.act(of: owner))
            #expect(parked.parked == ParkedPlace(place: place, since: stage.now))
            #expect(parked.shown(to: .manage).parked == nil)
            let stranger = try await stage.owner()
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.parkBike(bike.id, at: place, by: stage.act(of: stranger))
            }
            #expect(try await store.forgetParking(of: bike.id, by: stage.act(of: owner)).parked == nil)
            _ = try await store.parkBike(bike.id, at: place, by: stage.act(of: owner))
            stage.clock.advance(by: ParkedPlace.retention)
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await store.bike(bike.id, of: owner)?.parked == nil)
        },
    ]
}
