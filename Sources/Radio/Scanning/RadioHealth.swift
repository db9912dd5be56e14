public import Beacons
import Synchronization

/// The health of one radio, as far as its scanner knows it.
public struct RadioHealth: Hashable, Sendable {
    /// What the scanner of the radio is doing.
    public enum State: String, Hashable, Sendable, Codable {
        /// No task is listening.
        case idle
        /// The radio is being opened or set up.
        case starting
        case scanning
        /// A recovery step is running.
        case recovering
        /// The radio is not available; ``RadioHealth/lastError`` has the reason, and the scanner keeps trying.
        case failed
    }

    /// The adapter's name, such as `hci0`.
    public let adapter: String
    public var state: State
    /// False while the adapter is unplugged, or while bluetoothd, which provides it, is not running.
    public var isPresent: Bool
    /// Whether the adapter went off while it was in use. Somebody may have switched it off on purpose, so it is not
    /// recovered immediately.
    public var isSwitchedOff = false
    /// Advertising reports heard since the program started, of any kind.
    public var reports: Int
    /// The time of the latest report, on the time line of ``BootClock``; nil before the first.
    public var lastReport: ScanInstant?
    /// Reports that were received but not delivered, because the reader was too slow.
    public var dropped: Int
    /// Events that could not be parsed.
    public var malformed: Int
    /// Steps taken, whether they helped or not: both requested steps and those that the scanner took by itself.
    public var recoveries: [RecoveryStep: Int]
    /// The last error, even if it has been resolved.
    public var lastError: String?

    public init(adapter: String) {
        self.adapter = adapter
        state = .idle
        isPresent = true
        reports = 0
        dropped = 0
        malformed = 0
        recoveries = [:]
    }

    /// Notes that the radio cannot be listened to, and why.
    package mutating func fail(_ reason: String) {
        state = .failed
        lastError = reason
    }
}

/// A radio's health, written by its scanner and readable at any time, without waiting.
package final class HealthRecord: Sendable {
    private let health: Mutex<RadioHealth>

    package init(adapter: String) {
        health = Mutex(RadioHealth(adapter: adapter))
    }

    /// A snapshot.
    package var current: RadioHealth { health.withLock(\.self) }

    package func update(_ body: (inout RadioHealth) -> Void) {
        health.withLock { body(&$0) }
    }

    /// Counts the reports of a batch.
    package func note(_ batch: AdvertisementBatch) {
        health.withLock { health in
            health.reports += batch.advertisements.count
            health.malformed += batch.malformed
            if let last = batch.advertisements.last { health.lastReport = last.time }
        }
    }
}
