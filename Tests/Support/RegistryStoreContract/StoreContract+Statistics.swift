import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let statistics = [
        StoreContract("the statistics count what is stored") { store, stage in
            let empty = try await store.statistics(silentBefore: stage.now)
            #expect(empty.alertsWaiting == 0 && empty.listedBikes == 0 && empty.sightingsStored == 0)
            let (_, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let busy = try await store.statistics(silentBefore: stage.now)
            #expect(busy.alertsWaiting == 1 && busy.listedBikes == 1 && busy.sightingsStored == 1)
            let later = stage.now.advanced(by: .seconds(1))
            // As in the overview, a station without a heartbeat is new, not silent.
            #expect(try await store.statistics(silentBefore: later).stations == StationCounts(new: 1))
            try await store.recordHeartbeat(
                StationHeartbeat(version: "1.0.0", adapters: [], listVersion: 1), of: station, at: stage.now)
            for (time, counts) in [(stage.now, StationCounts(listening: 1)), (later, StationCounts(silent: 1))] {
                let overview = try await store.overviewNumbers(at: stage.now, silentBefore: time)
                #expect(try await store.statistics(silentBefore: time).stations == counts)
                #expect(overview.stations == counts && overview.listedBikes == busy.listedBikes)
                #expect(overview.monitorVersions == ["1.0.0": 1])
            }
            #expect(busy.missingListVersion > empty.missingListVersion)
            #expect(busy.databaseBytes > 0)
            let alert = try #require(try await stage.claim().first)
            try await store.settle(alert.id, attempt: alert.attempt, as: .delivered, at: stage.now)
            #expect(try await store.statistics(silentBefore: stage.now).alertsWaiting == 0)
        }
    ]
}
