import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let acknowledgement = [
        StoreContract("a delayed channel gets alerts that nobody has acknowledged in time") { _, stage in
            let (owner, _, station) = try await stage.missingBike()
            let neighbour = try await stage.channel(of: owner, after: 15).channel
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            #expect(try await stage.deliver().map(\.channel.id) != [neighbour.id])
            stage.clock.advance(by: .seconds(899))
            #expect(try await stage.deliver() == [])
            stage.clock.advance(by: .seconds(1))
            #expect(try await stage.deliver().map(\.channel.id) == [neighbour.id])
        },
        StoreContract("a delayed channel gets no alert that somebody has acknowledged") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.channel(of: owner, after: 15)
            let visits = try await stage.tellTwice(by: station)
            #expect(try await stage.deliver().count == 2)
            let acknowledge = {
                try await store.acknowledgeSighting(
                    visits[1].id, of: ReportPath(report, of: owner), at: stage.now)
            }
            let read = try await acknowledge()
            #expect(read.acknowledged == stage.now)
            let time = stage.now
            stage.clock.advance(by: .seconds(900))
            #expect(try await stage.deliver() == [])
            // A repeated acknowledgement changes nothing.
            #expect(try await acknowledge().acknowledged == time)
            stage.clock.advance(by: .seconds(900))
            _ = try await stage.record(Samples.visit(3, from: stage.now), by: station)
            #expect(try await stage.told() == [[3]])
            stage.clock.advance(by: .seconds(900))
            #expect(try await stage.told() == [[3]])
        },
        StoreContract("acknowledging an older sighting keeps no newer one from delayed channels") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let friend = try await stage.channel(of: owner, after: 15).channel
            let older = Samples.visit(1, from: stage.now)
            _ = try await stage.record(older, by: station)
            _ = try await stage.deliver()
            stage.clock.advance(by: .seconds(700))
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            _ = try await stage.deliver()
            _ = try await store.acknowledgeSighting(
                older.id, of: ReportPath(report, of: owner), at: stage.now)
            stage.clock.advance(by: .seconds(900))
            let alerts = try await stage.deliver()
            #expect(alerts.map(\.channel.id) == [friend.id])
            #expect(alerts.compactMap(\.content.sighting?.sighting.id.low) == [2])
        },
        StoreContract("acknowledging a sighting before its alert is sent keeps it from no channel") { store, stage in
            let (owner, report, station) = try await stage.missingBike(quietFor: .seconds(7200))
            let friend = try await stage.channel(of: owner, after: 15).channel
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await stage.record(Samples.visit(number, from: stage.now), by: station)
                stage.clock.advance(by: .seconds(700))
            }
            _ = try await store.acknowledgeSighting(
                Samples.visit(1, from: stage.now).id, of: ReportPath(report, of: owner), at: stage.now)
            stage.clock.advance(by: .seconds(7200))
            let told = try await stage.deliver().filter { $0.channel.id == friend.id }
            #expect(told.compactMap(\.content.digest?.sightings.count) == [2])
        },
        StoreContract("an alert's link acknowledges its sightings, and a digest's link all of them") { store, stage in
            let (owner, report, station) = try await stage.missingBike(quietFor: .seconds(3600))
            _ = try await stage.tellTwice(by: station)
            stage.clock.advance(by: .seconds(2900))
            let digest = try #require(try await stage.deliver().first)
            let linked = try #require(try await store.linkedAlert(digest.id))
            #expect(linked.secret == digest.channel.secret && linked.language == .en)
            #expect(try await store.acknowledgeAlert(digest.id, at: stage.now) == report.id)
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.map(\.acknowledged) == [stage.now, stage.now])
            #expect(try await store.linkedAlert(stage.newID()) == nil)
            #expect(try await store.acknowledgeAlert(stage.newID(), at: stage.now) == nil)
        },
        StoreContract("a notice has no acknowledgement link, and a removed channel’s alert no longer has one") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            let alert = try #require(try await stage.deliver().first)
            _ = try await stage.close(report, of: owner)
            let notice = try #require(try await stage.deliver().first)
            #expect(try await store.linkedAlert(notice.id) == nil)
            let channel = try #require(try await store.channels(of: owner, PageRequest(limit: 1)).items.first)
            try await store.removeChannel(channel, by: stage.act(of: owner))
            #expect(try await store.linkedAlert(alert.id) == nil)
        },
        StoreContract("only the report’s owner can acknowledge its sightings") { store, stage in
            let (_, report, station) = try await stage.missingBike()
            let visit = Samples.visit(1, from: stage.now)
            _ = try await stage.record(visit, by: station)
            let other = try await stage.owner()
            await #expect(throws: DomainError.self) {
                try await store.acknowledgeSighting(
                    visit.id, of: ReportPath(report, of: other), at: stage.now)
            }
        },
    ]
}
