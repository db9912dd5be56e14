public import RegistryAPI

/// Statistics for the operator.
public protocol StatisticsStore: Sendable {
    /// Statistics about the stored data; cheap enough to request a few times a minute.
    ///
    /// - Parameter silentBefore: a station counts as silent if its last heartbeat is older.
    func statistics(silentBefore: Timestamp) async throws -> RegistryStatistics
}

/// Numbers about all stored data.
public struct RegistryStatistics: Hashable, Sendable {
    /// The alerts that are neither delivered nor given up.
    public var alertsWaiting: Int64
    /// The bikes on the missing list.
    public var listedBikes: Int
    public var missingListVersion: UInt64
    public var stations: StationCounts
    /// The number of all sightings ever stored, including deleted ones.
    public var sightingsStored: Int64
    /// The size of the database in bytes, without the log of changes that are not merged into it yet.
    public var databaseBytes: Int64
    /// The number of rotating beacons whose keys cannot be opened.
    public var unreadableBeacons: Int64

    public init(
        alertsWaiting: Int64, listedBikes: Int, missingListVersion: UInt64, stations: StationCounts,
        sightingsStored: Int64, databaseBytes: Int64, unreadableBeacons: Int64
    ) {
        self.unreadableBeacons = unreadableBeacons
        self.alertsWaiting = alertsWaiting
        self.listedBikes = listedBikes
        self.missingListVersion = missingListVersion
        self.stations = stations
        self.sightingsStored = sightingsStored
        self.databaseBytes = databaseBytes
    }
}

extension RegistryOperations {
    /// The time without a heartbeat after which a station is silent; stations normally send one every few minutes.
    public static let stationSilence = Duration.seconds(15 * 60)

    /// The time before which a station's last heartbeat makes it silent: every list, count and screen uses it.
    static func silentBefore(_ now: Timestamp) -> Timestamp { now.advanced(by: .zero - stationSilence) }

    public func statistics() async throws -> RegistryStatistics {
        try await store.statistics(silentBefore: Self.silentBefore(clock.now))
    }
}
