public import RegistryAPI

/// An owner's act: the owner, the time, and a proof that the caller is not a thief at the owner's computer.
public struct OwnerAct: Sendable {
    public var owner: OwnerID
    public var time: Timestamp
    /// The recovery code that was sent with the call; it is used up only if one is needed.
    public var recoveryCode: SecretDigest?
    /// The source of identifiers for the results of the act, such as notices.
    public var entropy: Entropy

    public init(owner: OwnerID, time: Timestamp, recoveryCode: SecretDigest? = nil, entropy: Entropy) {
        self.owner = owner
        self.time = time
        self.recoveryCode = recoveryCode
        self.entropy = entropy
    }

    public var principal: Principal { .owner(owner) }
}

/// An operator's act: the operator, the time, and the source of identifiers for its notices.
public struct OperatorAct: Sendable {
    public var id: OperatorID
    public var time: Timestamp
    public var entropy: Entropy

    public init(id: OperatorID, time: Timestamp, entropy: Entropy) {
        self.id = id
        self.time = time
        self.entropy = entropy
    }

    public var principal: Principal { .operator(id) }
}
