import RegistryAPI

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
