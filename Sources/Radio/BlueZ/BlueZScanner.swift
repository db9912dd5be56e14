public import Beacons
public import Scanning
import Synchronization

/// Scans with one adapter through bluetoothd, as long as its batches are read.
///
/// It never gives up: if the bus connection is lost, bluetoothd restarts, or the adapter is unplugged or switched off,
/// batches are empty, and scanning continues when they are back. ``health`` has the current state. Discovery ends with
/// the last reference to the batches.
public final class BlueZScanner: RadioScanner {
    public let adapter: String
    private let bus: BlueZBus
    private let options: BlueZOptions
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> ScanInstant
    private let record: AdapterHealthRecord
    private let frames: FrameBuffer
    private let state = Mutex(State())

    private struct State {
        weak var listening: Listening?
        /// The task of the last listening, which stops discovery before the next one may start it.
        var last: Task<Void, Never>?
    }

    /// - Parameters:
    ///   - adapter: the adapter's name, such as `hci0`; it need not exist yet.
    ///   - clock: the clock for batches and retries.
    ///   - now: returns the time on the time line of the reports.
    public init(
        adapter: String,
        bus: BlueZBus,
        options: BlueZOptions = BlueZOptions(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> ScanInstant = { BootClock().now }
    ) {
        self.adapter = adapter
        self.bus = bus
        self.options = options
        self.clock = clock
        self.now = now
        record = AdapterHealthRecord(name: adapter, onEvent: options.onEvent)
        frames = FrameBuffer(limit: options.batchLimit, now: now)
    }

    /// A snapshot of the adapter's health.
    public var health: AdapterHealth {
        var health = record.snapshot
        frames.addCounters(to: &health)
        return health
    }

    /// Starts listening, until nothing references the returned batches any longer.
    ///
    /// - Throws: ``BlueZError/alreadyScanning(_:)`` while batches of an earlier call are being read.
    public func batches() throws -> BlueZBatches {
        try state.withLock { state in
            guard state.listening == nil else { throw BlueZError.alreadyScanning(adapter) }
            let listening = Listening(
                adapter: adapter, bus: bus, options: options, clock: clock, record: record, frames: frames,
                after: state.last
            )
            state.listening = listening
            state.last = listening.task
            return BlueZBatches(
                listening: listening, frames: frames, clock: clock, interval: min(options.batchInterval, .seconds(1))
            )
        }
    }

    /// The steps in the order in which they are worth trying; no power cycle if this program may not power the adapter.
    public var recoverySteps: [RecoveryStep] {
        options.powersAdapter ? [.restartScan, .powerCycle, .reopen] : [.restartScan, .reopen]
    }

    /// Tries one step and waits until discovery is running again.
    ///
    /// ``RecoveryStep/reopen`` closes the connection that all scanners of the same ``BlueZBus`` share; the other
    /// scanners reopen with it.
    public func recover(by step: RecoveryStep) async throws {
        guard recoverySteps.contains(step) else { throw BlueZError.stepUnavailable(step.rawValue) }
        guard let listening = state.withLock({ $0.listening }) else { throw BlueZError.notScanning(adapter) }
        record.report(.recovering(step))
        do {
            try await listening.recover(by: step)
        } catch {
            record.report(.failed("\(error)"))
            throw error
        }
    }
}

/// The batches of a ``BlueZScanner``, one per interval, empty or not.
public struct BlueZBatches: AsyncSequence, Sendable {
    fileprivate let listening: Listening
    fileprivate let frames: FrameBuffer
    fileprivate let clock: any Clock<Duration>
    fileprivate let interval: Duration

    public func makeAsyncIterator() -> Iterator { Iterator(batches: self) }

    public struct Iterator: AsyncIteratorProtocol {
        // Also holds the listening.
        fileprivate let batches: BlueZBatches

        /// The next batch; nil once the task is cancelled.
        public mutating func next() async -> AdvertisementBatch? {
            do {
                try await batches.clock.sleep(for: batches.interval)
                return batches.frames.take()
            } catch {
                return nil
            }
        }
    }
}

extension BlueZScanner {
    /// The health that every scanner provides; ``health`` has more details.
    public var radioHealth: RadioHealth {
        let health = health
        var radio = RadioHealth(adapter: adapter)
        radio.isPresent = health.isPresent
        radio.isSwitchedOff = health.isSwitchedOff
        if health.isDiscovering {
            radio.state = .scanning
        } else {
            radio.state = health.lastError == nil ? .starting : .failed
        }
        radio.reports = Int(clamping: health.framesHeard)
        radio.lastReport = health.lastFrame
        radio.dropped = Int(clamping: health.dropped)
        radio.recoveries = health.recoveries
        radio.lastError = health.lastError
        return radio
    }
}
