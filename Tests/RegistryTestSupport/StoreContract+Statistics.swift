import Registry
import RegistryAPI
import Testing

extension StoreContract {
    static let statistics = [
        StoreContract("the statistics count what is stored") { store in
            let stage = Stage(store)
            let empty = try await store.statistics(silentBefore: stage.now)
            #expect(empty.alertsWaiting == 0 && empty.missingBikes == 0 && empty.sightingsStored == 0)
            let (_, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let busy = try await store.statistics(silentBefore: stage.now)
            #expect(busy.alertsWaiting == 1 && busy.missingBikes == 1 && busy.sightingsStored == 1)
            #expect(busy.stations == 1 && busy.silentStations == 0)
            let later = stage.now.advanced(by: .seconds(1))
            #expect(try await store.statistics(silentBefore: later).silentStations == 1)
            #expect(busy.missingListVersion > empty.missingListVersion)
            #expect(busy.databaseBytes > 0)
            let alert = try #require(try await stage.claim().first)
            try await store.settle(alert.id, attempt: alert.attempt, as: .delivered, at: stage.now)
            #expect(try await store.statistics(silentBefore: stage.now).alertsWaiting == 0)
        }
    ]
}
