public import RegistryAPI

/// Who runs the registry.
public protocol OperatorStore: Sendable {
    /// - Parameter creator: the operator who adds it; nil on the server itself.
    func addOperator(_ details: Operator, token: SecretDigest, by creator: OperatorID?) async throws

    /// All operators, revoked ones included, in the order of their making.
    func operators(_ page: PageRequest<OperatorID>) async throws -> StoredPage<Operator, OperatorID>

    /// Takes an operator's token away; without effect where that was done before.
    ///
    /// - Parameters:
    ///   - revoker: the operator who does it; nil on the server itself.
    ///   - keepsLast: whether the last operator stays.
    /// - Throws: `notFound`, `lastOperator`.
    func revokeOperator(
        _ id: OperatorID, by revoker: OperatorID?, keepsLast: Bool, at time: Timestamp
    ) async throws -> Operator
}
