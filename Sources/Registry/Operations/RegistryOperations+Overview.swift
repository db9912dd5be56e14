import Evidence
package import RegistryAPI
package import RegistryRules
import RegistrySQL
import Synchronization

extension RegistryOperations {
    /// The whole state of the registry for its operators.
    ///
    /// - Parameter missingList: describes the list, given the number of its bikes.
    package func overview(_ missingList: (_ bikes: Int) -> Overview.MissingList) async throws -> Overview {
        let now = clock.now
        let numbers = try await store.overviewNumbers(at: now, silentBefore: StationHealth.silentBefore(now))
        let stations = numbers.stations
        let outdated = numbers.monitorVersions.filter { isOutdated($0.key) }.values.reduce(0, +)
        let checkpoint = try await store.auditCheckpoints(PageRequest(limit: 1)).items.first
        return Overview(
            time: now,
            stations: Overview.Stations(
                listening: stations.listening, deaf: stations.deaf, silent: stations.silent, new: stations.new,
                revoked: stations.revoked, lying: numbers.lying == 0 ? nil : numbers.lying,
                outdated: outdated == 0 ? nil : outdated,
                silentAfterSeconds: Int(StationHealth.silence.components.seconds)),
            alerts: numbers.alerts, deliveryErrors: numbers.deliveryErrors,
            missingList: missingList(numbers.listedBikes),
            database: numbers.database, backup: numbers.backup.map(Overview.Backup.init(taken:)),
            audit: Overview.Audit(
                length: numbers.auditLength,
                checkpoint: checkpoint.flatMap { Checkpoint($0.checkpoint) }?.time),
            disputed: numbers.disputed, reviews: numbers.reviews,
            unreadableBeacons: numbers.unreadableBeacons == 0 ? nil : numbers.unreadableBeacons)
    }

    /// Whether a monitor is older than this registry.
    private func isOutdated(_ monitor: String) -> Bool {
        guard let own = version, let other = ProgramVersion(monitor) else { return false }
        return other < own
    }

    /// Numbers about all stored data.
    package func statistics() async throws -> RegistryStatistics {
        try await store.statistics(silentBefore: StationHealth.silentBefore(clock.now))
    }

    /// How many stations listen for the bike of a report, how far the nearest is from where it was last seen, and how
    /// often earlier searches were heard.
    ///
    /// - Throws: `notFound`.
    package func listeningStations(for path: ReportPath) async throws -> ListeningStations {
        let report = try await report(path)
        var stations = ListeningStations(
            try await stationMap(), from: report.lastPlace, after: try await closedSearches())
        if report.onlyHere != true, let partners = partners?.areas() {
            stations.partners = partners.reduce(0) { $0 + $1.stations.listening }
        }
        return stations
    }

    /// What became of searches; read once a day (UTC).
    package func closedSearches() async throws -> ClosedSearches {
        let today = CalendarDate(clock.now).start
        return try await searchHistory.current(on: today) { try await store.closedSearches(on: today) }
    }

    /// What anyone may know about the registry.
    package func description() async throws -> RegistryDescription {
        RegistryDescription(
            operator: runner, stations: StationAreas(try await stationMap()), partners: partners?.areas())
    }

    /// All stations with their places and whether they listen now.
    package func stationMap() async throws -> StationMap {
        try await store.stationMap(silentBefore: StationHealth.silentBefore(clock.now))
    }
}

/// The counts of what became of searches, which change only at midnight.
final class SearchHistory: Sendable {
    private let latest = Mutex<(day: Timestamp, counts: ClosedSearches)?>(nil)

    /// - Parameter read: reads the counts; called only for the first time on a day.
    func current(on day: Timestamp, _ read: () async throws -> ClosedSearches) async throws -> ClosedSearches {
        if let latest = latest.withLock(\.self), latest.day == day { return latest.counts }
        let counted = try await read()
        latest.withLock { $0 = (day, counted) }
        return counted
    }
}
