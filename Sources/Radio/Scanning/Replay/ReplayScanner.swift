public import Beacons
import Synchronization

/// Plays a btsnoop capture (datalinks 1001, 1002 and 2001), as if its radio were here.
///
/// Recorded time is the time of the batches, in nanoseconds since the Unix epoch, and never goes back: see
/// ``timeSpan()`` for its range. The same capture gives the same batches at every pacing. Gaps of more than an hour are
/// skipped. The capture is read as it is played, never as a whole.
///
/// ```swift
/// let scanner = ReplayScanner(path: "garage.btsnoop", pacing: .recorded)
/// for try await batch in try scanner.batches() { … }
/// if let truncation = scanner.summary?.truncation { print("warning: \(truncation)") }
/// ```
public struct ReplayScanner<PacingClock: Clock>: Scanner where PacingClock.Duration == Duration {
    public let path: String
    private let pacing: Pacing
    private let clock: PacingClock
    private let last = LastSummary()

    /// - Parameters:
    ///   - path: the path of the capture, a regular file.
    ///   - pacing: the speed at which it is played.
    ///   - clock: the clock that paces recorded time, unless the pacing is ``Pacing/asFastAsPossible``.
    public init(path: String, pacing: Pacing, clock: PacingClock) {
        self.path = path
        self.pacing = pacing
        self.clock = clock
    }

    /// The summary of the replay that ended last; nil before any has ended.
    public var summary: ReplaySummary? { last.value.withLock(\.self) }

    /// Plays the capture from its beginning.
    ///
    /// - Throws: ``CaptureError`` if the file cannot be read or does not begin like a capture. If the file is
    ///   damaged further on, the iterator throws the error after all batches before the damage.
    public func batches() throws(CaptureError) -> Batches {
        _ = try CaptureReader(path: path).next()
        return Batches(path: path, pacing: pacing, clock: clock, last: last)
    }

    /// The times of the first and the last batch, or nil if the capture has no records. Reads the whole capture once.
    public func timeSpan() throws(CaptureError) -> ClosedRange<ScanInstant>? {
        let reader = try CaptureReader(path: path)
        var time = RecordedTime()
        guard let record = try reader.next() else { return nil }
        let first = time.advance(to: record.time)
        var last = first
        while let record = try reader.next() { last = time.advance(to: record.time) }
        return first...last
    }
}

extension ReplayScanner where PacingClock == ContinuousClock {
    public init(path: String, pacing: Pacing) {
        self.init(path: path, pacing: pacing, clock: ContinuousClock())
    }
}

extension ReplayScanner {
    /// The batches of one replay. Each iteration starts at the beginning of the capture and reads on demand.
    public struct Batches: AsyncSequence, Sendable {
        let path: String
        let pacing: Pacing
        let clock: PacingClock
        fileprivate let last: LastSummary

        public func makeAsyncIterator() -> Iterator {
            Iterator(path: path, pacer: Pacer(pacing, clock: clock), last: last)
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        private var pacer: Pacer<PacingClock>
        private let last: LastSummary
        private var source: Source

        private enum Source {
            case file(path: String)
            case reading(ReplayReader)
            case ended
        }

        fileprivate init(path: String, pacer: Pacer<PacingClock>, last: LastSummary) {
            self.pacer = pacer
            self.last = last
            source = .file(path: path)
        }

        /// The next batch, once its time has been reached. Throws ``CaptureError`` or `CancellationError`.
        public mutating func next() async throws -> AdvertisementBatch? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> AdvertisementBatch? {
            guard let step = try read() else { return nil }
            if step.isJump { pacer.restart() }
            try await pacer.wait(until: step.batch.time)
            return step.batch
        }

        private mutating func read() throws(CaptureError) -> ReplayReader.Step? {
            let current = source
            // Return nothing more after an error.
            source = .ended
            switch current {
            case .ended: return nil
            case .file(let path): return try read(ReplayReader(path: path))
            case .reading(let reader): return try read(reader)
            }
        }

        private mutating func read(_ reader: consuming ReplayReader) throws(CaptureError) -> ReplayReader.Step? {
            guard let step = try reader.next() else {
                last.value.withLock { [summary = reader.summary] in $0 = summary }
                return nil
            }
            source = .reading(reader)
            return step
        }
    }
}

/// The last summary, shared by a scanner and its iterators.
private final class LastSummary: Sendable {
    let value = Mutex<ReplaySummary?>(nil)
}
