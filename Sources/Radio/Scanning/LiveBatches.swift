public import Beacons

/// The batches of a live source, for one reader. The source listens as long as the sequence exists.
public struct LiveBatches: AsyncSequence, Sendable {
    private let lease: Lease

    /// - Parameter end: ends listening, and returns once the radio has been restored; may be called more than once.
    package init(_ channel: BatchChannel, end: @escaping @Sendable () async -> Void) {
        lease = Lease(channel, end: end)
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(lease: lease, batches: lease.channel.batches.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let lease: Lease
        fileprivate var batches: BatchChannel.Batches.Iterator

        /// The next batch. Throws the source's error, or `CancellationError` once the radio has been restored.
        public mutating func next() async throws -> AdvertisementBatch? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> AdvertisementBatch? {
            if let batch = try await batches.next(isolation: actor) { return batch }
            await lease.end()
            try Task.checkCancellation()
            return nil
        }
    }

    fileprivate final class Lease: Sendable {
        let channel: BatchChannel
        let end: @Sendable () async -> Void

        init(_ channel: BatchChannel, end: @escaping @Sendable () async -> Void) {
            self.channel = channel
            self.end = end
        }

        deinit { Task { [end] in await end() } }
    }
}
