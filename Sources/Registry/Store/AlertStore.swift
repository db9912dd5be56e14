public import RegistryAPI

extension AlertStore {
    /// Ends a claim by the system's entropy.
    public func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp
    ) async throws {
        try await settle(id, attempt: attempt, as: settlement, at: time, using: .system)
    }
}

/// The queue of alerts.
public protocol AlertStore: Sendable {
    /// Claims alerts that are due: each counts as attempted and is not due until the lease ends.
    ///
    /// Of each kind and standing urgent ones come first, then those whose channel has waited longest for its turn, one of
    /// each channel after another.
    ///
    /// - Parameter places: how many at most, and whose; what finds no place stays due.
    func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, places: AllDeliveryPlaces
    ) async throws -> [ClaimedAlert]

    /// Ends a claim. Without effect where the claim was lost to a later attempt or the channel is gone.
    func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) async throws

    /// When the next alert is due for which there is a place, leases included; nil where none waits.
    func nextAlertDue(for places: AllDeliveryPlaces) async throws -> Timestamp?
}

/// What the link in an alert can do.
public protocol AcknowledgementStore: Sendable {
    /// What is needed to judge a link to an alert of sightings; nil where there is no such alert.
    func linkedAlert(_ id: AlertID) async throws -> LinkedAlert?

    /// Does for all sightings of an alert what ``SightingStore/acknowledgeSighting(_:of:on:owner:at:)`` does for one.
    ///
    /// - Returns: their report; nil where there is no such alert.
    func acknowledgeAlert(_ id: AlertID, at time: Timestamp) async throws -> ReportID?
}

/// An alert as the link in it leads to it.
public struct LinkedAlert: Hashable, Sendable {
    public var created: Timestamp
    /// Of its channel.
    public var secret: SigningSecret
    public var language: AlertLanguage

    public init(created: Timestamp, secret: SigningSecret, language: AlertLanguage) {
        self.created = created
        self.secret = secret
        self.language = language
    }
}
