import Synchronization

/// Several radios as one scanner: each beacon is heard once, by the radio that hears it best.
///
/// A radio that fails or ends does not end the others. Where no radio may join any more, the sequence ends with the last
/// one, or throws what it failed with. How each radio fares is in its own ``RadioScanner/radioHealth``. Batches come as the
/// radios deliver them; their time never runs back, and no second passes without one.
public struct MergedScanner: Scanner {
    private let radios: RadioSet
    private let clock: any ScanClock
    private let drops = Drops()

    /// - Parameters:
    ///   - radios: all must have the time line of the clock.
    ///   - clock: gives the time of batches while all radios are silent.
    public init(_ radios: RadioSet, clock: any ScanClock = BootClock()) {
        self.radios = radios
        self.clock = clock
    }

    public init(_ radios: [any RadioScanner], clock: any ScanClock = BootClock()) {
        self.init(RadioSet(radios), clock: clock)
    }

    /// Reports that were dropped here, because whoever reads was too slow.
    public var dropped: Int { drops.count.withLock(\.self) }

    public func batches() -> LiveBatches {
        let merger = Merger(clock: clock, drops: drops)
        let work = Task { [radios] in await merger.run(radios) }
        return LiveBatches(merger.channel) {
            work.cancel()
            await work.value
        }
    }
}

/// Counts dropped reports, wherever they are dropped.
final class Drops: Sendable {
    let count = Mutex(0)
}
