public import RegistryAPI

/// Owners, operators and the tokens of all principals.
public protocol PrincipalStore: Sendable {
    /// Whose token has this digest, or nil.
    func principal(token: SecretDigest) async throws -> Principal?

    /// The same for many tokens at once, in their order.
    func principals(tokens: [SecretDigest]) async throws -> [Principal?]

    func addOwner(_ owner: Owner, token: SecretDigest) async throws

    func addOperator(_ id: OperatorID, name: String, created: Timestamp, token: SecretDigest) async throws

    func owner(_ id: OwnerID) async throws -> Owner?
}
