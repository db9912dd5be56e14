public import RegistryAPI
import VenueStatus

/// What an outbox holds on disk. Of a monitor that runs, what it says of itself counts: it keeps answers of the registry in
/// memory before it writes them.
public struct OutboxContents: Encodable, Sendable {
    /// A visit that the registry calls invalid.
    public struct Refused: Encodable, Sendable {
        public let visit: Visit
        public let reason: String
    }

    public var waiting: Int
    public var open: Int
    public var awaitingConsent: Int
    /// Whether the numbers are those of a monitor that runs.
    public var isOfRunningMonitor = false
    public var awaitingPlace: Int
    public var awaitingClock: Int
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
