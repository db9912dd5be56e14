import Logging
package import RegistryAPI
import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Creates an operator.
    ///
    /// - Parameter creator: the operator who creates it; nil on the server itself.
    package func createOperator(_ draft: OperatorDraft, by creator: OperatorID?) async throws -> OperatorCreated {
        var entropy = entropy
        let now = clock.now
        let token = AccessToken(for: .operator, using: &entropy)
        let details = Operator(id: OperatorID(at: now, using: &entropy), name: draft.name, created: now)
        try await store.addOperator(details, token: token.digest, by: creator)
        logger.notice("operator made", metadata: ["operator": "\(details.id)"])
        return OperatorCreated(details: details, token: token.text)
    }

    /// Revokes an operator's token.
    ///
    /// - Parameters:
    ///   - revoker: the operator who revokes it; nil on the server itself.
    ///   - keepsLast: whether revoking the last operator is refused.
    package func revokeOperator(
        _ id: OperatorID, by revoker: OperatorID?, keepsLast: Bool = true
    ) async throws -> Operator {
        let revoked = try await store.revokeOperator(id, by: revoker, keepsLast: keepsLast, at: clock.now)
        logger.notice("operator revoked", metadata: ["operator": "\(id)"])
        return revoked
    }
}
