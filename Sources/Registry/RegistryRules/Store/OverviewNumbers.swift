public import RegistryAPI

/// The part of the overview that comes from the store.
public struct OverviewNumbers: Hashable, Sendable {
    public var stations: StationCounts
    /// The versions of the monitors of the stations in use, each with the number of stations.
    public var monitorVersions: [String: Int]
    /// The stations in use that reported the canary.
    public var lying: Int
    /// The bikes on the missing list.
    public var listedBikes: Int
    /// The rotating beacons that are marked as unreadable.
    public var unreadableBeacons: Int
    // As operators see them.
    public var alerts: [Overview.AlertQueue]
    public var deliveryErrors: [Overview.DeliveryErrors]
    public var disputed: Overview.Disputed
    public var reviews: Overview.Reviews
    /// The number of the audit's entries.
    public var auditLength: Int64
    public var database: Overview.Database
    /// When the last backup was taken; nil if none is known.
    public var backup: Timestamp?

    public init(
        stations: StationCounts, monitorVersions: [String: Int], lying: Int = 0, listedBikes: Int,
        unreadableBeacons: Int, alerts: [Overview.AlertQueue],
        deliveryErrors: [Overview.DeliveryErrors], disputed: Overview.Disputed, reviews: Overview.Reviews,
        auditLength: Int64, database: Overview.Database, backup: Timestamp?
    ) {
        self.stations = stations
        self.monitorVersions = monitorVersions
        self.lying = lying
        self.listedBikes = listedBikes
        self.unreadableBeacons = unreadableBeacons
        self.alerts = alerts
        self.deliveryErrors = deliveryErrors
        self.disputed = disputed
        self.reviews = reviews
        self.auditLength = auditLength
        self.database = database
        self.backup = backup
    }
}
