package import Registry

extension SQLRegistryStore {
    public func isMissing(_ number: BikeNumber) async throws -> Bool {
        try await read { try NumberChecks($0).isMissing(number) }
    }

    public func begin(_ message: BuyerMessage) async throws -> [SecretDigest] {
        try await write { try NumberChecks($0).begin(message) }
    }
}
