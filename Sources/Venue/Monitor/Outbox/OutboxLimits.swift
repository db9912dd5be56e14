/// The limits of an outbox.
public struct OutboxLimits: Hashable, Sendable {
    /// The maximum number of visits, of about 700 bytes each; beyond it, the oldest are merged, and dropped if that is
    /// not enough.
    public var visits: Int
    /// The maximum age of a visit: the registry accepts none that is older.
    public var age: Duration
    /// How long a visit waits for consent.
    public var consent: Duration
    /// The time after a bike has left during which staff may answer its alarm.
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
