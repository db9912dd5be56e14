public import RegistryAPI

extension RegistryOperations {
    /// Whose token this is; nil for any text that is no principal's.
    public func principal(token text: String) async throws -> Principal? {
        guard let token = AccessToken(text) else { return nil }
        return try await store.principal(token: token.digest)
    }

    /// Which of many tokens are still a principal's.
    public func principals(tokens: [SecretDigest]) async throws -> [Principal?] {
        try await store.principals(tokens: tokens)
    }

    /// Makes a new owner with a first token.
    public func createOwner() async throws -> OwnerCreated {
        var entropy = entropy
        let now = clock.now
        let owner = Owner(id: OwnerID(at: now, using: &entropy), created: now)
        let token = AccessToken(for: .owner, using: &entropy)
        try await store.addOwner(owner, token: token.digest)
        return OwnerCreated(owner: owner, token: token.text)
    }

    public func owner(_ id: OwnerID) async throws -> Owner {
        guard let owner = try await store.owner(id) else { throw DomainError.notFound("owner") }
        return owner
    }

    /// Makes a new operator and returns the token, which is shown this once.
    public func createOperator(name: String) async throws -> String {
        var entropy = entropy
        let now = clock.now
        let token = AccessToken(for: .operator, using: &entropy)
        let id = OperatorID(at: now, using: &entropy)
        try await store.addOperator(id, name: name, created: now, token: token.digest)
        return token.text
    }
}
