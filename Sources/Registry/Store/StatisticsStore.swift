/// What the operator watches.
public protocol StatisticsStore: Sendable {
    /// Cheap enough to be asked every few seconds.
    func statistics() async throws -> RegistryStatistics
}

/// Numbers about all that is stored.
public struct RegistryStatistics: Hashable, Sendable {
    /// Neither delivered nor given up.
    public var alertsWaiting: Int64
    public var missingBikes: Int64
    public var missingListVersion: UInt64
    public var stations: Int64
    /// Ever stored, deleted ones included.
    public var sightingsStored: Int64
    /// Without the log of what is not merged into it yet.
    public var databaseBytes: Int64

    public init(
        alertsWaiting: Int64, missingBikes: Int64, missingListVersion: UInt64, stations: Int64,
        sightingsStored: Int64, databaseBytes: Int64
    ) {
        self.alertsWaiting = alertsWaiting
        self.missingBikes = missingBikes
        self.missingListVersion = missingListVersion
        self.stations = stations
        self.sightingsStored = sightingsStored
        self.databaseBytes = databaseBytes
    }
}

extension RegistryOperations {
    public func statistics() async throws -> RegistryStatistics { try await store.statistics() }
}
