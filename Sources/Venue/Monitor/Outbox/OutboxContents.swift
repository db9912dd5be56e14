public import RegistryAPI
import StationStatus

/// The contents of an outbox on disk. For a running monitor use its own status, because it keeps the registry's
/// responses in memory before it writes them.
public struct OutboxContents: Encodable, Sendable {
    /// A visit that the registry rejected as invalid.
    public struct Refused: Encodable, Sendable {
        public let visit: Visit
        public let reason: String
    }

    // The same numbers as in ``OutboxSummary``.
    public var waiting: Int
    public var open: Int
    public var awaitingConsent: Int
    /// Whether the numbers come from a running monitor.
    public var isOfRunningMonitor = false
    public var awaitingPlace: Int
    public var awaitingClock: Int
    /// The numbers of visits ever merged or lost, by reason.
    public let tally: [String: Int]
    /// Damaged outboxes that were set aside.
    public let damagedFiles: [String]
    /// Visits that the registry rejected as invalid.
    public let setAside: [Refused]

    /// Reads an outbox without changing it.
    ///
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
