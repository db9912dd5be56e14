package import Beacons

/// Hands batches from a live radio to their reader, however slow: what does not fit is dropped and counted.
///
/// The batches that wait are kept, and new ones are dropped: a reader that lags is told a story without gaps, then one
/// gap.
package final class BatchChannel: Sendable {
    package typealias Batches = AsyncThrowingStream<AdvertisementBatch, any Error>

    /// For one reader.
    package let batches: Batches
    private let continuation: Batches.Continuation

    /// - Parameter capacity: how many batches may wait.
    package init(capacity: Int = 256) {
        (batches, continuation) = Batches.makeStream(bufferingPolicy: .bufferingOldest(capacity))
    }

    /// Returns how many reports had to be dropped.
    package func send(_ batch: AdvertisementBatch) -> Int {
        if case .dropped(let batch) = continuation.yield(batch) { batch.advertisements.count } else { 0 }
    }

    package func finish(throwing error: (any Error)? = nil) {
        continuation.finish(throwing: error)
    }
}
