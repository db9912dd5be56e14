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
    /// Claims alerts that are due, of each kind urgent ones first, then the longest due: each counts as attempted and is
    /// not due until the lease ends.
    ///
    /// - Parameters:
    ///   - limits: how many at most, by kind of channel; none of a kind that is missing.
    ///   - shares: who gets no more than some of them; what is left for later stays due.
    func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, limits: [ChannelKind: Int], shares: OwnerShares
    ) async throws -> [ClaimedAlert]

    /// Ends a claim. Without effect where the claim was lost to a later attempt or the channel is gone.
    func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) async throws

    /// When the next alert is due, leases included; nil where none waits but of owners whose share is taken.
    func nextAlertDue(of kinds: Set<ChannelKind>, shares: OwnerShares) async throws -> Timestamp?
}

/// How much of the deliveries at a time may be one owner's.
public struct OwnerShares: Hashable, Sendable {
    /// By kind of channel; without bound where a kind is missing.
    public var most: [ChannelKind: Int]
    /// Deliveries under way.
    public var taken: [ChannelKind: [OwnerID: Int]]

    public init(most: [ChannelKind: Int] = [:], taken: [ChannelKind: [OwnerID: Int]] = [:]) {
        self.most = most
        self.taken = taken
    }
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
