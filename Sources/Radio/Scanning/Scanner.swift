public import Beacons

/// A source of advertisements: a radio, a capture or a simulation.
///
/// The sequence ends when the source ends, and throws when it fails permanently. Until then it delivers a batch at
/// least once a second by its own time, empty if necessary, so that the reader needs no timer.
public protocol Scanner: Sendable {
    associatedtype Batches: AsyncSequence where Batches.Element == AdvertisementBatch

    /// Where a task should read the batches, so that they need no other thread on their way to it; nil for anywhere.
    var executor: (any TaskExecutor)? { get }

    /// Starts listening. Each call listens again: a capture or a simulation begins at its start.
    func batches() throws -> Batches
}

extension Scanner {
    public var executor: (any TaskExecutor)? { nil }
}
