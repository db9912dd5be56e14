public import RegistryAPI

/// An owner's token to be stored; its secret is known by the digest only.
public struct NewToken: Sendable {
    public var details: OwnerToken
    public var digest: SecretDigest

    public init(_ details: OwnerToken, digest: SecretDigest) {
        self.details = details
        self.digest = digest
    }
}

/// Owners, operators and the tokens of all principals.
public protocol PrincipalStore: Sendable {
    /// What the token with this digest proves, or nil where there is none.
    func credential(token: SecretDigest) async throws -> Credential?

    /// Keeps that a token was used; an earlier time than the one that is kept changes nothing.
    func noteUse(of token: TokenID, at time: Timestamp) async throws

    func addOwner(_ owner: Owner, token: NewToken) async throws

    func addOperator(_ id: OperatorID, name: String, created: Timestamp, token: SecretDigest) async throws

    func owner(_ id: OwnerID) async throws -> Owner?
}
