public import RegistryAPI

/// Makes a call that creates something happen once:
/// the same key of the same principal finds the result of the first call.
///
/// It is stored in one transaction with the created resource, for ``lifetime``.
public struct IdempotencyKey: Hashable, Sendable {
    /// The time for which a key is stored.
    public static let lifetime = Duration.days(7)

    public let principal: Principal
    /// The value of `Idempotency-Key`.
    public let key: String
    /// The digest of method, path and body: a different request with the same key is an error of the caller.
    public let request: SecretDigest
    public let time: Timestamp

    public init(principal: Principal, key: String, request: SecretDigest, time: Timestamp) {
        self.principal = principal
        self.key = key
        self.request = request
        self.time = time
    }
}
