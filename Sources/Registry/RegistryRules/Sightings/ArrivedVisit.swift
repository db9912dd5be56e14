public import RegistryAPI

/// A visit when it arrives: dated by the registry's clock, or refused.
public struct ArrivedVisit: Hashable, Sendable {
    /// The visit with its dates; it may be recorded if no field is refused.
    public private(set) var visit: Visit
    /// The refused fields, with pointers that start at the visit; empty if the visit is accepted.
    public private(set) var refusals: [FieldError]
    private let received: Timestamp
    /// Whether the station sent `secondsAgo` in place of the time.
    private let isReckoned: Bool

    /// - Parameter sent: the visit as the station sent it.
    public init(_ sent: Visit, at received: Timestamp) {
        self.received = received
        isReckoned = sent.secondsAgo != nil
        visit = SightingRules.dated(sent, received: received)
        refusals = SightingRules.refusals(of: visit, now: received)
        if refusals.isEmpty { visit = SightingRules.withoutFuture(visit, received: received) }
    }

    /// Whether its own times are unreliable. Then a rotating beacon may show the time.
    public var isDoubtful: Bool { !refusals.isEmpty || visit.isTimeUncertain }

    /// Takes the dates from the slot that was heard, if the visit is then accepted.
    public mutating func date(by slot: HeardSlot) {
        let dated = SightingRules.dated(visit, by: slot, received: received, isReckoned: isReckoned)
        guard SightingRules.refusals(of: dated, now: received).isEmpty else { return }
        visit = SightingRules.withoutFuture(dated, received: received)
        refusals = []
    }
}
