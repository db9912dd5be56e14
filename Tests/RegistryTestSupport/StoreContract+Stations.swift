import Registry
import RegistryAPI
import Testing

extension StoreContract {
    static let stationLives = [
        StoreContract("an attempt to enrol may be repeated by its key alone, and voids the token that was lost") {
            store in
            let stage = Stage(store)
            _ = try await stage.invitation(code: "code")
            let first = try await stage.enrol("code", token: "lost", attempt: "key")
            stage.clock.advance(by: .seconds(60))
            let second = try await stage.enrol("code", token: "found", attempt: "key")
            #expect(first == second)
            #expect(try await store.credential(token: SecretDigest(of: "lost")) == nil)
            #expect(try await store.credential(token: SecretDigest(of: "found"))?.principal == .station(first.id))
            for attempt in ["other", nil] {
                await #expect(throws: DomainError.codeUnusable) {
                    _ = try await stage.enrol("code", attempt: attempt)
                }
            }
            stage.clock.advance(by: .seconds(86_400))
            await #expect(throws: DomainError.codeUnusable) { _ = try await stage.enrol("code", attempt: "key") }
        },
        StoreContract("a station shows its last heartbeat, which changes no version") { store in
            let stage = Stage(store)
            let id = try await stage.station()
            let before = try #require(try await store.station(id))
            #expect(before.station.heartbeat == nil && before.station.venue == "Café" && !before.station.mobile)
            for version in ["1.0", "1.1"] {
                stage.clock.advance(by: .seconds(60))
                let heartbeat = StationHeartbeat(
                    version: version, adapters: [.init(name: "hci0", state: "scanning", reports: 7)], listVersion: 3
                )
                try await store.recordHeartbeat(heartbeat, of: id, at: stage.now)
                let station = try #require(try await store.station(id))
                #expect(station.station.heartbeat == .init(received: stage.now, heartbeat: heartbeat))
                #expect(station.version == before.version)
            }
            #expect(try await store.station(stage.newID()) == nil)
        },
        StoreContract("a revoked station has no token and cannot tell anything; what it told before stays") { store in
            let stage = Stage(store)
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let outcome = try await store.revokeStation(
                station, quarantineSince: nil, by: .operator(stage.newID()), at: stage.now
            )
            #expect(outcome.revocation.station.revoked == stage.now && outcome.revocation.quarantined == 0)
            #expect(try await store.credential(token: SecretDigest(of: station.description)) == nil)
            await #expect(throws: DomainError.notFound("station")) {
                _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            }
            #expect(try await stage.sightings(of: report, by: owner).map(\.level) == [.possible])
        },
        StoreContract("quarantine disputes what was told since a time, silences its alerts, and may be widened") {
            store in
            let stage = Stage(store)
            let (owner, report, station) = try await stage.missingBike()
            let bar = try await stage.station("bar", venue: "Bar")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            stage.clock.advance(by: .seconds(700))
            let since = stage.now
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            _ = try await stage.record(Samples.visit(3, from: stage.now), by: bar)
            let revoke = { (time: Timestamp) in
                try await store.revokeStation(
                    station, quarantineSince: time, by: .operator(stage.newID()), at: stage.now
                )
            }
            let first = try await revoke(since)
            #expect(first.revocation.quarantined == 1 && first.reports == [report.id])
            #expect(
                try await stage.sightings(of: report, by: owner).map { Set($0.reasons) }
                    == [[.otherVenue], [.quarantined], [.otherVenue]]
            )
            #expect(try await stage.claim().count == 2)
            #expect(try await revoke(since).revocation.quarantined == 0)
            #expect(try await revoke(report.opened).revocation.quarantined == 1)
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.map(\.level) == [.disputed, .disputed, .possible])
        },
    ]
}
