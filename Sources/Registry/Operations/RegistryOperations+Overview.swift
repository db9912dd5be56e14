import Evidence
public import RegistryAPI

extension RegistryOperations {
    private var silentBefore: Timestamp { clock.now.advanced(by: .zero - Self.stationSilence) }

    /// The whole state of the registry for its operators.
    ///
    /// - Parameter missingList: describes the list, given the number of its bikes.
    public func overview(_ missingList: (_ bikes: Int) -> Overview.MissingList) async throws -> Overview {
        let now = clock.now
        let numbers = try await store.overviewNumbers(at: now, silentBefore: silentBefore)
        let checkpoint = try await store.auditCheckpoints(PageRequest(limit: 1)).items.first
        return Overview(
            time: now,
            stations: Overview.Stations(
                listening: numbers.listening, deaf: numbers.deaf, silent: numbers.silent, new: numbers.new,
                revoked: numbers.revoked, lying: numbers.lying == 0 ? nil : numbers.lying,
                silentAfterSeconds: Int(Self.stationSilence.components.seconds)),
            alerts: numbers.alerts, deliveryErrors: numbers.deliveryErrors,
            missingList: missingList(numbers.listedBikes),
            database: numbers.database, backup: numbers.backup.map(Overview.Backup.init(taken:)),
            audit: Overview.Audit(
                length: numbers.auditLength,
                checkpoint: checkpoint.flatMap { Checkpoint($0.checkpoint) }?.time),
            disputed: numbers.disputed, reviews: numbers.reviews,
            unreadableBeacons: numbers.unreadableBeacons == 0 ? nil : numbers.unreadableBeacons)
    }

    public func stationMap() async throws -> StationMap {
        try await store.stationMap(silentBefore: silentBefore)
    }
}
