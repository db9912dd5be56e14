import Beacons
import Synchronization

/// The number of beacons and frames on the air, counted by the scan loop.
public final class HearingStatus: Sendable {
    /// Totals since the program started.
    public struct Counts: Hashable, Sendable {
        /// Increases at least once a second while the scan loop runs.
        public internal(set) var batches = 0
        /// Advertisements of all devices.
        public internal(set) var adverts = 0
        /// Frames of iBeacons.
        public internal(set) var beacons = 0
        /// Frames of beacons that may be on the missing list.
        public internal(set) var candidates = 0
        /// Adverts a second over the last minute, or since the start if that is shorter.
        public internal(set) var advertsPerSecond = 0.0
        /// Visits that were ended early because too many were open.
        public internal(set) var displaced = 0
        /// Whether visits wait in memory because the disk cannot be written to.
        public internal(set) var isDiskFailing = false
        /// Visits that were lost to a disk that failed for too long.
        public internal(set) var forgotten = 0
    }

    private struct State {
        var counts = Counts()
        /// The total at the beginning of each of the last six spans of ten seconds.
        var marks: [(time: ScanInstant, adverts: Int)] = []
    }

    /// The time between two marks, of which six make a minute.
    private static let span = Duration.seconds(10)
    private let state = Mutex(State())

    public init() {}

    public var counts: Counts { state.withLock(\.counts) }

    /// - Parameter forgotten: the total of visits that were lost to a failing disk.
    func note(isDiskFailing: Bool, forgotten: Int) {
        state.withLock {
            $0.counts.isDiskFailing = isDiskFailing
            $0.counts.forgotten = forgotten
        }
    }

    /// - Parameter displaced: the total of visits that were ended early.
    func note(displaced: Int) {
        state.withLock { $0.counts.displaced = displaced }
    }

    /// Counts a batch.
    ///
    /// - Parameters:
    ///   - beacons: how many of its advertisements are frames of iBeacons.
    ///   - candidates: how many of these may be on the missing list.
    func note(_ batch: AdvertisementBatch, beacons: Int, candidates: Int) {
        state.withLock { state in
            let last = state.marks.last?.time
            if last.map({ $0.duration(to: batch.time) >= Self.span }) ?? true {
                if state.marks.count >= 6 { state.marks.removeFirst() }
                state.marks.append((batch.time, state.counts.adverts))
            }
            state.counts.batches += 1
            state.counts.adverts += batch.advertisements.count
            state.counts.beacons += beacons
            state.counts.candidates += candidates
            guard let first = state.marks.first else { return }
            let seconds = first.time.duration(to: batch.time).seconds
            if seconds > 0 { state.counts.advertsPerSecond = Double(state.counts.adverts - first.adverts) / seconds }
        }
    }
}
