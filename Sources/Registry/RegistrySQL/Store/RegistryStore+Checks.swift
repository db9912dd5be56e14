package import RegistryRules

/// Checks of numbers by buyers.
///
/// A number is found only while stations search for its bike, and only if the bike's owner allows it.
extension RegistryStore {
    public func check(_ number: BikeNumber) async throws -> NumberMatch {
        try await read { try NumberChecks($0).check(number) }
    }

    /// The numbers that partners' buyers can check, too: those of bikes for which partners may search. And the key to
    /// hide them.
    ///
    /// - Parameter limit: the most numbers; those that bikes have had longest.
    public func sharedNumbers(limit: Int) async throws -> (numbers: [BikeNumber], key: NumberKey) {
        try await readAtLength { (try NumberChecks($0).shared(limit: limit), try BikeNumbers($0).key()) }
    }

    public func numberKey() async throws -> NumberKey { try await read { try BikeNumbers($0).key() } }

    /// Begins a conversation with the owner of each missing bike with a number, at most ``NumberCheckRules/mostBikes``.
    /// A repeated call changes nothing.
    ///
    /// - Returns: the secrets of the conversations; empty if no missing bike has the number.
    /// - Throws: `message(.tooManyConversations)`, if none of the owners can get one.
    public func begin(_ message: BuyerMessage) async throws -> [SecretDigest] {
        try await write { try NumberChecks($0).begin(message) }
    }
}
