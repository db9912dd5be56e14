package import Beacons

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

    package func finish(throwing error: (any Error)? = nil) {
        continuation.finish(throwing: error)
    }
}
