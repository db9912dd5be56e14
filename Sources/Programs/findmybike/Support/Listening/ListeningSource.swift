import Beacons
import Scanning

/// A source of reports, with the facts that a command needs to know about it.
struct ListeningSource: Sendable {
    let scanner: any Scanning.Scanner
    /// Converts an instant on the scanner's time line to nanoseconds since the Unix epoch.
    let unixTime: @Sendable (ScanInstant) -> Int64
    /// The current problem, in words; nil if there is none.
    var trouble: @Sendable () -> String? = { nil }

    /// Listens until the source ends, until `duration` has passed by the source's time, or until the task is cancelled.
    func listen(for duration: Duration? = nil, _ body: (AdvertisementBatch) throws -> Void) async throws {
        try await Self.listen(to: scanner, for: duration, body)
    }

    private static func listen(
        to scanner: some Scanning.Scanner, for duration: Duration?, _ body: (AdvertisementBatch) throws -> Void
    ) async throws {
        var end: ScanInstant?
        do {
            for try await batch in try scanner.batches() {
                try body(batch)
                guard let duration else { continue }
                let last = end ?? batch.time.advanced(by: duration)
                end = last
                if batch.time >= last { return }
            }
        } catch is CancellationError {
            // A cancelled command still shows what was heard so far.
        }
    }
}
