public import RegistryAPI

/// What the operator watches.
public protocol StatisticsStore: Sendable {
    /// Cheap enough to be asked a few times a minute.
    ///
    /// - Parameter silentBefore: a station counts as silent that gave no sign of life since then.
    func statistics(silentBefore: Timestamp) async throws -> RegistryStatistics
}

/// Numbers about all that is stored.
public struct RegistryStatistics: Hashable, Sendable {
    /// Neither delivered nor given up.
    public var alertsWaiting: Int64
    public var missingBikes: Int64
    public var missingListVersion: UInt64
    /// Enrolled and not revoked.
    public var stations: Int64
    /// Of these, the silent ones.
    public var silentStations: Int64
    /// Ever stored, deleted ones included.
    public var sightingsStored: Int64
    /// Without the log of what is not merged into it yet.
    public var databaseBytes: Int64

    public init(
        alertsWaiting: Int64, missingBikes: Int64, missingListVersion: UInt64, stations: Int64,
        silentStations: Int64, sightingsStored: Int64, databaseBytes: Int64
    ) {
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
    /// A station that says nothing for so long is worth a look: it gives signs of life every few minutes.
    public static let stationSilence = Duration.seconds(15 * 60)

    public func statistics() async throws -> RegistryStatistics {
        try await store.statistics(silentBefore: clock.now.advanced(by: .zero - Self.stationSilence))
    }
}
