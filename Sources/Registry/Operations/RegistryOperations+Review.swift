public import Beacons
import Concurrency
public import RegistryAPI

// Operators' measures against misuse.
extension RegistryOperations {
    public func suspendOwner(
        _ owner: OwnerID, _ reason: OperatorReason, by operator: OperatorID
    ) async throws -> OwnerReview {
        try await telling { try await store.suspendOwner(owner, reason: reason.reason, by: act(of: `operator`)) }
    }

    public func resumeOwner(_ owner: OwnerID, by operator: OperatorID) async throws -> OwnerReview {
        try await telling { try await store.resumeOwner(owner, by: act(of: `operator`)) }
    }

    public func setQuotas(
        of owner: OwnerID, _ exceptions: QuotaExceptions, by operator: OperatorID
    ) async throws -> OwnerReview {
        try await store.setQuotas(of: owner, exceptions, by: act(of: `operator`))
    }

    public func confirm(
        _ confirmation: ReferenceConfirmation, of report: ReportID, by operator: OperatorID
    ) async throws -> ReportReview {
        try await telling {
            try await store.confirmReference(confirmation.policeReference, of: report, by: act(of: `operator`))
        }
    }

    public func withdrawConfirmation(of report: ReportID, by operator: OperatorID) async throws -> ReportReview {
        try await telling { try await store.withdrawConfirmation(of: report, by: act(of: `operator`)) }
    }

    public func stopSearch(
        for beacon: BeaconIdentity, _ reason: OperatorReason, by operator: OperatorID
    ) async throws -> BeaconReview {
        try await telling { try await store.stopSearch(for: beacon, reason: reason.reason, by: act(of: `operator`)) }
    }

    public func allowSearch(for beacon: BeaconIdentity, by operator: OperatorID) async throws -> BeaconReview {
        try await telling { try await store.allowSearch(for: beacon, by: act(of: `operator`)) }
    }

    public func acceptClaim(
        _ acceptance: ClaimAcceptance, of bike: BikeID, by operator: OperatorID
    ) async throws -> BeaconClaim {
        try await telling { try await store.acceptClaim(acceptance.identity, of: bike, by: act(of: `operator`)) }
    }

    public func refuseClaim(
        of bike: BikeID, _ reason: OperatorReason, by operator: OperatorID
    ) async throws -> BeaconClaim {
        try await telling { try await store.refuseClaim(of: bike, reason: reason.reason, by: act(of: `operator`)) }
    }

    private func act(of operator: OperatorID) -> OperatorAct {
        OperatorAct(id: `operator`, time: clock.now, entropy: entropy)
    }

    /// Performs an act that alerts owners.
    private func telling<Result>(_ act: () async throws -> Result) async throws -> Result {
        let result = try await act()
        alertSignal.wake()
        return result
    }
}
