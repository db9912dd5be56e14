package import Beacons
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Whether the beacon belongs, or once belonged, to a bike of this registry.
    package func isIssued(_ beacon: BeaconIdentity) async throws -> Bool { try await store.isIssued(beacon) }

    /// Stores a request of somebody who feels followed.
    ///
    /// - Parameter network: as in ``beginConversation(_:about:_:from:)``.
    /// - Returns: its secret. It is a new one if a form is changed and sent again.
    package func sendSafetyRequest(
        _ secret: ConversationSecret, about beacon: BeaconIdentity?, _ draft: MessageDraft,
        from network: ClientNetwork?
    ) async throws -> ConversationSecret {
        try await storing(secret) { secret, now, entropy in
            try await store.addSafetyRequest(
                NewSafetyRequest(
                    id: SafetyRequestID(at: now, using: &entropy), secret: secret.safetyDigest, beacon: beacon,
                    text: draft.text, network: finderNetwork(network, at: now), time: now))
        }
    }

    package func safetyRequest(_ secret: ConversationSecret) async throws -> SafetyRequest? {
        try await store.safetyRequest(secret.safetyDigest)
    }

    package func close(
        _ request: SafetyRequestID, _ closure: SafetyClosure, by operator: OperatorID
    ) async throws -> SafetyRequest {
        try await store.closeSafetyRequest(request, answer: closure.answer, by: act(of: `operator`))
    }
}

extension RegistryOperations {
    package func answerObjection(
        _ draft: MessageDraft, of bike: BikeID, by operator: OperatorID
    ) async throws -> StopReview {
        try await store.answerObjection(draft.text, of: bike, by: act(of: `operator`))
    }
}
