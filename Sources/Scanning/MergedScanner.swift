public import Beacons
import Synchronization

/// Several radios as one scanner: each beacon is heard once, by the radio that hears it best.
///
/// A radio that fails or ends does not end the others; when none is left, the sequence ends, or throws what the last one
/// failed with. How each radio fares is in its own ``RadioScanner/radioHealth``. Batches come as the radios deliver them; their
/// time never runs back, and no second passes without one.
public struct MergedScanner: Scanner {
    public let radios: [any RadioScanner]
    private let clock: any ScanClock
    private let drops = Drops()

    /// - Parameters:
    ///   - radios: at least one; all must have the time line of the clock.
    ///   - clock: gives the time of batches while all radios are silent.
    public init(_ radios: [any RadioScanner], clock: any ScanClock = BootClock()) {
        self.radios = radios
        self.clock = clock
    }

    /// Reports that were dropped here, because whoever reads was too slow.
    public var dropped: Int { drops.count.withLock(\.self) }

    public func batches() -> Batches {
        let merger = Merger(clock: clock, drops: drops)
        let work = Task { [radios] in await merger.run(radios) }
        return Batches(lease: Lease(merger: merger, work: work))
    }
}

extension MergedScanner {
    /// The merged batches, for one reader.
    public struct Batches: AsyncSequence, Sendable {
        fileprivate let lease: Lease

        public func makeAsyncIterator() -> Iterator {
            Iterator(lease: lease, batches: lease.merger.channel.batches.makeAsyncIterator())
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let lease: Lease
        fileprivate var batches: BatchChannel.Batches.Iterator

        /// The next batch. Throws what the last radio failed with, or `CancellationError`.
        public mutating func next() async throws -> AdvertisementBatch? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> AdvertisementBatch? {
            if let batch = try await batches.next(isolation: actor) { return batch }
            // Only once all radios have put their controllers in order.
            lease.work.cancel()
            await lease.work.value
            try Task.checkCancellation()
            return nil
        }
    }

    /// Keeps the radios listening for as long as somebody may read.
    fileprivate final class Lease: Sendable {
        let merger: Merger
        let work: Task<Void, Never>

        init(merger: Merger, work: Task<Void, Never>) {
            self.merger = merger
            self.work = work
        }

        deinit { work.cancel() }
    }
}

/// Counts dropped reports, wherever they are dropped.
final class Drops: Sendable {
    let count = Mutex(0)
}
