import Synchronization

/// Combines several radios into one scanner: each beacon is reported once, by the radio that hears it best.
///
/// A radio that fails or ends does not end the others. If no further radio can join, the sequence ends with the last
/// radio, or throws its error. The health of each radio is in its own ``RadioScanner/radioHealth``. Batches are
/// delivered as the radios deliver them; their time never goes back, and there is at least one batch a second.
public struct MergedScanner: Scanner {
    private let radios: RadioSet
    private let clock: any ScanClock
    private let drops = Drops()

    /// - Parameters:
    ///   - radios: the radios, all on the time line of the clock.
    ///   - clock: the time of batches while all radios are silent.
    public init(_ radios: RadioSet, clock: any ScanClock = BootClock()) {
        self.radios = radios
        self.clock = clock
    }

    /// A scanner of radios that no other can join.
    public init(_ radios: [any RadioScanner], clock: any ScanClock = BootClock()) {
        self.init(RadioSet(radios), clock: clock)
    }

    /// Reports that were dropped here because the reader was too slow.
    public var dropped: Int { drops.count.withLock(\.self) }

    public var executor: (any TaskExecutor)? { RadioQueue.tasks }

    /// Starts listening with all radios.
    public func batches() -> LiveBatches {
        let merger = Merger(clock: clock, drops: drops)
        let work = Task(executorPreference: RadioQueue.tasks) { [radios] in await merger.run(radios) }
        return LiveBatches(merger.channel) {
            work.cancel()
            await work.value
        }
    }
}

/// A shared counter of dropped reports.
final class Drops: Sendable {
    let count = Mutex(0)
}
