package import Registry

extension SQLRegistryStore {
    public func check(_ number: BikeNumber) async throws -> NumberMatch {
        try await read { try NumberChecks($0).check(number) }
    }

    public func begin(_ message: BuyerMessage) async throws -> [SecretDigest] {
        try await write { try NumberChecks($0).begin(message) }
    }
}
