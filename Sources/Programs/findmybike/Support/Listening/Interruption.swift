import Foundation
import Terminal
import UnixSignals

/// Runs an operation that listens, advertises or has something to clean up; Ctrl-C and SIGTERM cancel it, so that it can.
///
/// A second signal ends the program immediately, with the exit status that a shell gives for that signal. After the
/// operation, the signals do what they did before it.
func untilInterrupted<Outcome: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Outcome
) async throws -> Outcome {
    guard ExecutionEnvironment.current.ownsProcess else { return try await operation() }
    // Trapping the signals changes these actions.
    let numbers = [SIGINT, SIGTERM]
    let before = numbers.map { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        return action
    }
    defer {
        for (number, action) in zip(numbers, before) {
            var action = action
            sigaction(number, &action, nil)
        }
    }
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
