public import RegistryAPI

/// An owner's act: who and when, and what proves that it is no thief at the owner's computer.
public struct OwnerAct: Sendable {
    public var owner: OwnerID
    public var time: Timestamp
    /// The recovery code that came with the call; it is spent only where one is needed.
    public var recoveryCode: SecretDigest?
    /// Where the identifiers of what follows from the act come from, those of its notices for instance.
    public var entropy: Entropy

    public init(owner: OwnerID, time: Timestamp, recoveryCode: SecretDigest? = nil, entropy: Entropy) {
        self.owner = owner
        self.time = time
        self.recoveryCode = recoveryCode
        self.entropy = entropy
    }

    public var principal: Principal { .owner(owner) }
}
