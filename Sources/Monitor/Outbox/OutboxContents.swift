public import RegistryAPI

/// What an outbox holds, read beside a monitor that may be running: answers that the monitor has not written yet do not
/// count.
public struct OutboxContents: Encodable, Sendable {
    /// A visit that the registry calls invalid.
    public struct Refused: Encodable, Sendable {
        public let visit: Visit
        public let reason: String
    }

    public let waiting: Int
    public let open: Int
    public let awaitingConsent: Int
    public let awaitingPlace: Int
    public let awaitingClock: Int
    /// What was ever merged or lost, by reason.
    public let tally: [String: Int]
    /// Outboxes that were set aside because they were damaged.
    public let damagedFiles: [String]
    public let setAside: [Refused]

    /// - Throws: ``OutboxError``.
    public init(readFrom path: String) async throws {
        let outbox = Outbox(database: try Outbox.openToRead(path))
        do {
            let summary = try await outbox.summary()
            setAside = try await outbox.refusals().map { Refused(visit: $0.visit, reason: $0.reason) }
            waiting = summary.waiting
            open = summary.open
            awaitingConsent = summary.awaitingConsent
            awaitingPlace = summary.awaitingPlace
            awaitingClock = summary.awaitingClock
            tally = Dictionary(uniqueKeysWithValues: summary.tally.map { ($0.key.rawValue, $0.value) })
            damagedFiles = Outbox.filesSetAside(beside: path)
        } catch {
            throw OutboxError(path: path, underlying: error)
        }
    }
}
