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
    /// Claims alerts that are due, the longest due first: each counts as attempted and is not due until the lease ends.
    func claimAlerts(at now: Timestamp, leaseUntil lease: Timestamp, limit: Int) async throws -> [ClaimedAlert]

    /// Ends a claim. Without effect where the claim was lost to a later attempt or the channel is gone.
    func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) async throws

    /// When the next alert is due, leases included; nil where none waits.
    func nextAlertDue() async throws -> Timestamp?
}
