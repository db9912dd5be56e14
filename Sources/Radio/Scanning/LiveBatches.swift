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

    /// Listening, which ends when neither the sequence nor an iterator exists any longer.
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

/// Passes batches from a live radio to a reader that may be slow: batches that do not fit are dropped and counted.
///
/// Waiting batches are kept and new ones are dropped, so that a slow reader gets a continuous sequence, followed by one
/// gap.
package final class BatchChannel: Sendable {
    package typealias Batches = AsyncThrowingStream<AdvertisementBatch, any Error>

    /// The batches, for one reader.
    package let batches: Batches
    private let continuation: Batches.Continuation

    /// - Parameter capacity: the maximum number of waiting batches.
    package init(capacity: Int = 256) {
        (batches, continuation) = Batches.makeStream(bufferingPolicy: .bufferingOldest(capacity))
    }

    /// Sends a batch; returns the number of dropped reports.
    package func send(_ batch: AdvertisementBatch) -> Int {
        if case .dropped(let batch) = continuation.yield(batch) { batch.advertisements.count } else { 0 }
    }

    /// Ends the sequence after the batches that wait.
    package func finish(throwing error: (any Error)? = nil) {
        continuation.finish(throwing: error)
    }
}
