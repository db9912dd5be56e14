import Foundation
import Terminal
import UnixSignals

/// Runs an operation that listens or advertises; Ctrl-C and SIGTERM cancel it, so that it can clean up.
///
/// A second signal ends the program immediately, with the exit status that a shell gives for that signal.
func untilInterrupted<Outcome: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Outcome
) async throws -> Outcome {
    guard ExecutionEnvironment.current.ownsProcess else { return try await operation() }
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
