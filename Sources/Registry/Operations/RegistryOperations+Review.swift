package import Beacons
package import RegistryAPI
import RegistryRules
import RegistrySQL

// Operators' measures against misuse. Each is one operation of the store by an operator's act.
extension RegistryOperations {
    package func suspendOwner(
        _ owner: OwnerID, _ reason: OperatorReason, by operator: OperatorID
    ) async throws -> OwnerReview {
        try await store.suspendOwner(owner, reason: reason.reason, by: act(of: `operator`))
    }

    package func resumeOwner(_ owner: OwnerID, by operator: OperatorID) async throws -> OwnerReview {
        try await store.resumeOwner(owner, by: act(of: `operator`))
    }

    package func verifyOwner(_ owner: OwnerID, by operator: OperatorID) async throws -> OwnerReview {
        try await store.verifyOwner(owner, by: act(of: `operator`))
    }

    package func unverifyOwner(_ owner: OwnerID, by operator: OperatorID) async throws -> OwnerReview {
        try await store.unverifyOwner(owner, by: act(of: `operator`))
    }

    package func setQuotas(
        of owner: OwnerID, _ exceptions: QuotaExceptions, by operator: OperatorID
    ) async throws -> OwnerReview {
        try await store.setQuotas(of: owner, exceptions, by: act(of: `operator`))
    }

    package func confirm(
        _ confirmation: ReferenceConfirmation, of report: ReportID, by operator: OperatorID
    ) async throws -> ReportReview {
        try await store.confirmReference(confirmation.policeReference, of: report, by: act(of: `operator`))
    }

    package func withdrawConfirmation(of report: ReportID, by operator: OperatorID) async throws -> ReportReview {
        try await store.withdrawConfirmation(of: report, by: act(of: `operator`))
    }

    package func stopSearch(
        for beacon: BeaconIdentity, _ reason: StopReason, by operator: OperatorID
    ) async throws -> BeaconReview {
        try await store.stopSearch(for: beacon, reason: reason.reason, by: act(of: `operator`))
    }

    package func allowSearch(for beacon: BeaconIdentity, by operator: OperatorID) async throws -> BeaconReview {
        try await store.allowSearch(for: beacon, by: act(of: `operator`))
    }

    package func acceptClaim(
        _ acceptance: ClaimAcceptance, of bike: BikeID, by operator: OperatorID
    ) async throws -> BeaconClaim {
        try await store.acceptClaim(acceptance.identity, of: bike, by: act(of: `operator`))
    }

    package func refuseClaim(
        of bike: BikeID, _ reason: OperatorReason, by operator: OperatorID
    ) async throws -> BeaconClaim {
        try await store.refuseClaim(of: bike, reason: reason.reason, by: act(of: `operator`))
    }

    /// An operator's act at the current time.
    func act(of operator: OperatorID) -> OperatorAct {
        OperatorAct(id: `operator`, time: clock.now, entropy: entropy)
    }
}
