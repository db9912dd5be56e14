import Foundation
import UnixSignals

/// Runs something that listens or advertises until it ends; Ctrl-C and SIGTERM cancel it, so that it can tidy up.
///
/// A second one ends the program at once, as the shell reports it.
func untilInterrupted<Outcome: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Outcome
) async throws -> Outcome {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let work = Task { try await operation() }
    let watch = Task {
        for await signal in signals {
            if work.isCancelled { exit(128 + signal.rawValue) }
            work.cancel()
        }
    }
    defer { watch.cancel() }
    return try await work.value
}
