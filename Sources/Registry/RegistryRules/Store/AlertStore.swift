public import RegistryAPI

/// The queue of alerts.
public protocol AlertStore: Sendable {
    /// Claims alerts that are due: each counts as attempted and is not due until the lease ends.
    ///
    /// For each kind of channel and each ``ReceiverStanding``, urgent alerts come first, then those whose channel has
    /// waited longest, one alert of each channel in turn.
    ///
    /// - Parameter places: the free slots for deliveries; an alert without a slot stays due.
    func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, places: AllDeliveryPlaces
    ) async throws -> AlertClaim

    /// Ends the claim of an attempt (``ClaimedAlert/attempt``). Has no effect if the claim was lost to a later attempt
    /// or the channel is gone.
    func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) async throws
}

/// Claimed alerts.
public struct AlertClaim: Sendable {
    public let alerts: [ClaimedAlert]
    /// The time when the next alert is due for which a slot is left, leases included; nil if none is waiting.
    public let next: Timestamp?

    public init(alerts: [ClaimedAlert] = [], next: Timestamp?) {
        self.alerts = alerts
        self.next = next
    }
}

/// The alert that a link leads to.
public struct LinkedAlert: Hashable, Sendable {
    /// When the alert was queued.
    public var created: Timestamp
    /// The secret of the alert's channel.
    public var secret: SigningSecret
    public var language: AlertLanguage

    public init(created: Timestamp, secret: SigningSecret, language: AlertLanguage) {
        self.created = created
        self.secret = secret
        self.language = language
    }
}
