/// How much an outbox keeps.
public struct OutboxLimits: Hashable, Sendable {
    /// Visits in all, of some 700 bytes each; beyond, the oldest are merged, and dropped where that does not help.
    public var visits: Int
    /// How long ago a visit may be: the registry takes none that is older.
    public var age: Duration
    /// How long a visit waits for consent.
    public var consent: Duration
    /// How long after a bike has left staff may answer for its alarm.
    public var answer: Duration

    public init(
        visits: Int = 20_000, age: Duration = .seconds(30 * 86_400), consent: Duration = .seconds(86_400),
        answer: Duration = .seconds(86_400)
    ) {
        self.visits = max(visits, 1)
        self.age = age
        self.consent = consent
        self.answer = answer
    }
}

/// What an outbox counts for ever, so that nothing is lost silently.
public enum OutboxTally: String, CaseIterable, Sendable {
    /// Visits that were merged into an earlier one of the same bike, for want of room.
    case merged
    /// Visits that were dropped for want of room.
    case droppedForSize
    /// Visits that nobody could be told of in time.
    case droppedForAge
    /// Visits that someone at the venue did not want reported.
    case dismissed
    /// Visits that nobody at the venue answered for.
    case consentExpired
    /// Outboxes that were set aside because they were damaged.
    case damagedFiles
    /// Visits that were read from damaged outboxes.
    case salvaged
}
