public import RegistryAPI

/// Statistics for the operator.
public protocol StatisticsStore: Sendable {
    /// Statistics about the stored data; cheap enough to request a few times a minute.
    ///
    /// - Parameter silentBefore: a station counts as silent if it has given no sign of life since then.
    func statistics(silentBefore: Timestamp) async throws -> RegistryStatistics
}

/// Numbers about all stored data.
public struct RegistryStatistics: Hashable, Sendable {
    /// The alerts that are neither delivered nor given up.
    public var alertsWaiting: Int64
    public var missingBikes: Int64
    public var missingListVersion: UInt64
    /// The stations that are enrolled and not revoked.
    public var stations: Int64
    /// The number of these stations that are silent.
    public var silentStations: Int64
    /// The number of all sightings ever stored, including deleted ones.
    public var sightingsStored: Int64
    /// The size of the database in bytes, without the log of changes that are not merged into it yet.
    public var databaseBytes: Int64
    /// The number of rotating beacons whose keys cannot be opened.
    public var unreadableBeacons: Int64

    public init(
        alertsWaiting: Int64, missingBikes: Int64, missingListVersion: UInt64, stations: Int64,
        silentStations: Int64, sightingsStored: Int64, databaseBytes: Int64, unreadableBeacons: Int64
    ) {
        self.unreadableBeacons = unreadableBeacons
        self.alertsWaiting = alertsWaiting
        self.missingBikes = missingBikes
        self.missingListVersion = missingListVersion
        self.stations = stations
        self.silentStations = silentStations
        self.sightingsStored = sightingsStored
        self.databaseBytes = databaseBytes
    }
}

extension RegistryOperations {
    /// The time without a sign of life after which a station needs attention; stations normally give a sign every few
    /// minutes.
    public static let stationSilence = Duration.seconds(15 * 60)

    public func statistics() async throws -> RegistryStatistics {
        try await store.statistics(silentBefore: clock.now.advanced(by: .zero - Self.stationSilence))
    }
}
