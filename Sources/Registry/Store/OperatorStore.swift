public import RegistryAPI

/// The operators of the registry.
public protocol OperatorStore: Sendable {
    /// - Parameter creator: the operator who adds it; nil on the server itself.
    func addOperator(_ details: Operator, token: SecretDigest, by creator: OperatorID?) async throws

    /// All operators, including revoked ones, in the order of their creation.
    func operators(_ page: PageRequest<OperatorID>) async throws -> StoredPage<Operator, OperatorID>

    /// Revokes an operator's token; has no effect if it is revoked already.
    ///
    /// - Parameters:
    ///   - revoker: the operator who revokes it; nil on the server itself.
    ///   - keepsLast: whether revoking the last operator is refused.
    /// - Throws: `notFound`, `lastOperator`.
    func revokeOperator(
        _ id: OperatorID, by revoker: OperatorID?, keepsLast: Bool, at time: Timestamp
    ) async throws -> Operator
}
