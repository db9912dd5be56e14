public import RegistryAPI

/// Makes a call that creates happen once: the same key of the same principal finds what the first call created.
///
/// Kept with the created resource in one transaction, for ``lifetime``.
public struct IdempotencyKey: Hashable, Sendable {
    /// How long a key is remembered.
    public static let lifetime = Duration.seconds(7 * 86_400)

    public let principal: Principal
    /// The value of `Idempotency-Key`.
    public let key: String
    /// Of method, path and body: another request under the same key is an error of the caller.
    public let request: SecretDigest
    public let time: Timestamp

    public init(principal: Principal, key: String, request: SecretDigest, time: Timestamp) {
        self.principal = principal
        self.key = key
        self.request = request
        self.time = time
    }
}
