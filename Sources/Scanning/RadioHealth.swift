public import Beacons
import Synchronization

/// How one radio fares, as far as its scanner can tell.
public struct RadioHealth: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, Codable {
        /// Nobody listens.
        case idle
        /// The radio is being opened or set up.
        case starting
        case scanning
        /// A recovery step is under way.
        case recovering
        /// The radio is lost; ``RadioHealth/lastError`` says why, and the scanner keeps trying.
        case failed
    }

    /// The adapter's name, `hci0`.
    public let adapter: String
    public var state: State
    /// False while the adapter is unplugged, or while bluetoothd, which shows it, does not run.
    public var isPresent: Bool
    /// Whether somebody switched the adapter off while it was listened to, so that silence is what they want.
    public var isSwitchedOff = false
    /// Advertising reports heard since the program started, of any kind.
    public var reports: Int
    /// When the latest report was heard, on the time line of ``BootClock``; nil before the first.
    public var lastReport: ScanInstant?
    /// Reports that came but were not delivered, because whoever reads was too slow.
    public var dropped: Int
    /// Events that could not be parsed.
    public var malformed: Int
    /// Steps taken, whether they helped or not: those asked for and those that the scanner took by itself.
    public var recoveries: [RecoveryStep: Int]
    /// What went wrong last, even if all is well again.
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
}

/// A radio's health, written by its scanner and read by whoever asks, at any time and without waiting.
package final class HealthRecord: Sendable {
    private let health: Mutex<RadioHealth>

    package init(adapter: String) {
        health = Mutex(RadioHealth(adapter: adapter))
    }

    package var current: RadioHealth { health.withLock(\.self) }

    package func update(_ body: (inout RadioHealth) -> Void) {
        health.withLock { body(&$0) }
    }

    /// Counts what a batch holds.
    package func note(_ batch: AdvertisementBatch) {
        health.withLock { health in
            health.reports += batch.advertisements.count
            health.malformed += batch.malformed
            if let last = batch.advertisements.last { health.lastReport = last.time }
        }
    }
}
