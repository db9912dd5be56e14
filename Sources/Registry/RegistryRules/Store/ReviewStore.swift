import Beacons
public import RegistryAPI

/// The end of a page of owners, who are listed by their number of unconfirmed reports, highest first.
public struct OwnerCursor: Hashable, Sendable {
    public var unconfirmed: Int64
    public var owner: OwnerID

    public init(unconfirmed: Int64, owner: OwnerID) {
        self.unconfirmed = unconfirmed
        self.owner = owner
    }
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
