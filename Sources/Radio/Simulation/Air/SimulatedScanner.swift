public import Beacons
public import Scanning

/// A scanner that plays a scenario: the same bytes at the same stream times in every run.
///
/// Batches depend only on the scenario's time, never on the speed at which it is played or read.
public struct SimulatedScanner<PacingClock: Clock>: Scanner where PacingClock.Duration == Duration {
    public let scenario: Scenario
    private let pacing: Pacing
    private let clock: PacingClock

    /// A scanner that paces the scenario's time by a clock, according to `pacing`.
    public init(_ scenario: Scenario, pacing: Pacing, clock: PacingClock) {
        self.scenario = scenario
        self.pacing = pacing
        self.clock = clock
    }

    /// The first and the last moment of the stream, on its own time line.
    public var timeSpan: ClosedRange<ScanInstant> { scenario.timeSpan }

    public func batches() -> SimulatedBatches<PacingClock> {
        SimulatedBatches(scenario: scenario, pacer: Pacer(pacing, clock: clock))
    }
}

extension SimulatedScanner where PacingClock == ContinuousClock {
    /// A scanner that is paced by the machine's clock.
    public init(_ scenario: Scenario, pacing: Pacing) {
        self.init(scenario, pacing: pacing, clock: ContinuousClock())
    }
}

/// The batches of a simulation, created on demand; each iteration starts at the beginning of the scenario.
public struct SimulatedBatches<PacingClock: Clock>: AsyncSequence, Sendable where PacingClock.Duration == Duration {
    let scenario: Scenario
    let pacer: Pacer<PacingClock>

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var batches: BatchCutter
        private var pacer: Pacer<PacingClock>

        init(scenario: Scenario, pacer: Pacer<PacingClock>) {
            batches = BatchCutter(scenario)
            self.pacer = pacer
        }

        /// The next batch once its time has been reached, or nil at the scenario's end; throws only when cancelled.
        public mutating func next() async throws -> AdvertisementBatch? {
            guard let batch = batches.next() else { return nil }
            try await pacer.wait(until: batch.time)
            return batch
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(scenario: scenario, pacer: pacer)
    }
}
