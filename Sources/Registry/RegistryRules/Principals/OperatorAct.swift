public import RegistryAPI

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
