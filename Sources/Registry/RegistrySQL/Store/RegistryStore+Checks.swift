package import RegistryRules

/// Checks of bikes' numbers by people who buy a bike.
///
/// A number is found only while stations search for its bike, and only if the bike's owner allows it.
extension RegistryStore {
    /// Whether a missing bike has a number, or one that is easily misread as it.
    public func check(_ number: BikeNumber) async throws -> NumberMatch {
        try await read { try NumberChecks($0).check(number) }
    }

    /// The numbers that partners' buyers can check, too: those of bikes for which partners may search.
    ///
    /// - Parameter limit: the maximum number of numbers; those that bikes have had longest come first.
    public func sharedNumbers(limit: Int) async throws -> CheckableNumbers {
        try await readAtLength {
            CheckableNumbers(numbers: try NumberChecks($0).shared(limit: limit), key: try BikeNumbers($0).key())
        }
    }

    /// The key of the hashes that numbers are found by.
    public func numberKey() async throws -> NumberKey { try await read { try BikeNumbers($0).key() } }

    /// Begins a conversation with the owner of each missing bike with a number, at most ``NumberCheckRules/mostBikes``.
    /// A repeated call changes nothing.
    ///
    /// - Returns: the secrets of the conversations; empty if no missing bike has the number.
    /// - Throws: `message(.tooManyConversations)`, if none of the owners can get one.
    public func beginConversations(of message: BuyerMessage) async throws -> [SecretDigest] {
        try await write { try NumberChecks($0).begin(message) }
    }
}
