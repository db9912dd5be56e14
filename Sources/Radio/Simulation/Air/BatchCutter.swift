import Beacons

/// Divides reports into batches of at most 100 ms and 256 reports, with at least one batch a second.
struct BatchCutter: Sendable {
    /// The time of one batch in nanoseconds.
    private static let slot: Int64 = 100_000_000
    /// The longest time between two batches in nanoseconds.
    private static let longestSilence: Int64 = 1_000_000_000
    private static let maximumReports = 256

    private let start: ScanInstant
    /// The end of the scenario in nanoseconds since its start.
    private let end: Int64
    private var air: SimulatedAir
    /// The time of the previous batch, in nanoseconds since the start; nil before the first.
    private var time: Int64?

    init(_ scenario: Scenario) {
        start = scenario.start
        end = scenario.duration.wholeNanoseconds
        air = SimulatedAir(scenario)
    }

    /// Returns the next batch. The first batch is empty and marks the start, the last marks the end.
    mutating func next() -> AdvertisementBatch? {
        guard let before = time else { return empty(at: 0) }
        guard before < end else { return nil }
        // Aligned to slots, so that no report is older than the time of an empty batch before it.
        let silence = min((before + Self.longestSilence) / Self.slot * Self.slot, end)
        while let event = air.next, event < end {
            let cut = min((event / Self.slot + 1) * Self.slot, end)
            guard cut <= silence else { break }
            let batch = filled(before: cut)
            // Frames that were not received cause no batch.
            if !batch.isEmpty { return batch }
        }
        return empty(at: silence)
    }

    /// A batch of the frames that are received before a time; empty if there are none.
    private mutating func filled(before cut: Int64) -> AdvertisementBatch {
        var batch = AdvertisementBatch(time: start)
        while let event = air.next, event < cut {
            guard batch.advertisements.count < Self.maximumReports else {
                // The rest of the slot is in the next batch, so time has advanced only to the last report.
                time = batch.time.nanoseconds - start.nanoseconds
                return batch
            }
            air.transmit(into: &batch)
        }
        guard !batch.isEmpty else { return batch }
        time = cut
        batch.time = instant(cut)
        return batch
    }

    /// A batch that only says that time has passed.
    private mutating func empty(at time: Int64) -> AdvertisementBatch {
        self.time = time
        return AdvertisementBatch(time: instant(time))
    }

    private func instant(_ nanoseconds: Int64) -> ScanInstant {
        ScanInstant(nanoseconds: start.nanoseconds + nanoseconds)
    }
}
