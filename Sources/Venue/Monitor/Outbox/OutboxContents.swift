public import RegistryAPI
import StationStatus

/// The contents of an outbox on disk. For a running monitor use its own status, because it keeps the registry's
/// responses in memory before it writes them.
///
/// It is encoded for `outbox --json`, so the names of the properties are a contract.
public struct OutboxContents: Encodable, Sendable {
    /// A visit that the registry refused as invalid.
    public struct Refused: Encodable, Sendable {
        public let visit: Visit
        public let reason: String
    }

    // The numbers are those of ``OutboxSummary``. If a monitor runs, its own numbers replace them (`OutboxCommand`).
    public var waiting: Int
    public var open: Int
    public var awaitingConsent: Int
    public var awaitingPlace: Int
    public var awaitingClock: Int
    /// Whether the numbers above come from a running monitor.
    public var isOfRunningMonitor = false

    // These are always read from the disk.
    /// The numbers of visits ever merged or lost, by reason.
    public let tally: [String: Int]
    /// The paths of damaged outboxes, which were renamed.
    public let damagedFiles: [String]
    /// The visits that the registry refused.
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
