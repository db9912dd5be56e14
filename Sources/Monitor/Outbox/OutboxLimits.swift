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
