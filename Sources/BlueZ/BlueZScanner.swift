public import Beacons
public import Scanning
import Synchronization

/// Scans with one adapter through bluetoothd, for as long as its batches are read.
///
/// It never gives up: a bus that is lost, a bluetoothd that restarts, an adapter that is unplugged or switched off make
/// empty batches, and scanning goes on when they are back. ``health`` says how it stands. Discovery ends with the
/// last reference to the batches.
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
        /// The last listening's task, which stops discovery before the next one may start it.
        var last: Task<Void, Never>?
    }

    /// - Parameters:
    ///   - adapter: `hci0`; it need not be there yet.
    ///   - clock: paces batches and retries.
    ///   - now: the time line of the reports.
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

    /// A snapshot.
    public var health: AdapterHealth {
        var health = record.snapshot
        frames.complete(&health)
        return health
    }

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

    public var recoverySteps: [RecoveryStep] {
        options.powersAdapter ? [.restartScan, .powerCycle, .reopen] : [.restartScan, .reopen]
    }

    /// Tries one step and waits until discovery runs again.
    ///
    /// ``RecoveryStep/reopen`` gives up the connection that all scanners of the same ``BlueZBus`` share; the others reopen
    /// with it.
    public func recover(by step: RecoveryStep) async throws {
        guard recoverySteps.contains(step) else { throw BlueZError.stepUnavailable(step.rawValue) }
        guard let listening = state.withLock({ $0.listening }) else { throw BlueZError.notScanning(adapter) }
        record.tell(.recovering(step))
        do {
            try await listening.recover(by: step)
        } catch {
            record.tell(.failed("\(error)"))
            throw error
        }
    }
}

/// What a ``BlueZScanner`` hears: a batch each interval, empty or not.
public struct BlueZBatches: AsyncSequence, Sendable {
    fileprivate let listening: Listening
    fileprivate let frames: FrameBuffer
    fileprivate let clock: any Clock<Duration>
    fileprivate let interval: Duration

    public func makeAsyncIterator() -> Iterator { Iterator(batches: self) }

    public struct Iterator: AsyncIteratorProtocol {
        // Holds the listening as well.
        fileprivate let batches: BlueZBatches

        /// Nil once the task is cancelled.
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
    /// What every scanner can tell of its radio; ``health`` says more.
    public var radioHealth: RadioHealth {
        let health = health
        var radio = RadioHealth(adapter: adapter)
        radio.isPresent = health.isPresent
        radio.isSwitchedOff = health.isSwitchedOff
        radio.state = health.isDiscovering ? .scanning : health.lastError == nil ? .starting : .failed
        radio.reports = Int(clamping: health.framesHeard)
        radio.lastReport = health.lastFrame
        radio.dropped = Int(clamping: health.dropped)
        radio.recoveries = health.recoveries
        radio.lastError = health.lastError
        return radio
    }
}
