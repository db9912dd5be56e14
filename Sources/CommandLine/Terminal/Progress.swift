import Foundation

/// Shows the program's activity if it takes more than a second: a line on standard error that is redrawn, and removed
/// at the end. On terminals only.
public enum Progress {
    /// Whether an activity around this one is shown already.
    @TaskLocal private static var isShown = false

    /// How long an activity takes before it is shown.
    private static let delay = Duration.seconds(1)
    /// The time from one drawing of the line to the next.
    private static let redrawing = Duration.milliseconds(500)
    /// Returns to the beginning of the line and erases it (ECMA-48 EL).
    private static let erasure = "\r\u{1B}[K"

    /// Whether a person sees standard error, on a terminal that can redraw a line.
    private static var isWatched: Bool {
        Console.error.isTerminal && ExecutionEnvironment.current.variables["TERM"] != "dumb"
    }

    /// Does work, and shows it meanwhile.
    ///
    /// - Parameter activity: the activity in words, such as “asking the registry”.
    public static func during<Answer>(
        _ activity: String, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Answer
    ) async rethrows -> Answer {
        guard isWatched, !isShown else { return try await work() }
        // Ends with this scope.
        async let _: Void = show(activity)
        return try await $isShown.withValue(true, operation: work)
    }

    /// Redraws the line until the task is cancelled.
    private static func show(_ activity: String) async {
        let start = ContinuousClock.now
        do {
            try await Task.sleep(for: delay)
            defer { write(erasure) }
            while true {
                let seconds = start.duration(to: .now).components.seconds
                write("\(erasure)\(TerminalText.line(activity)), \(seconds) s …")
                try await Task.sleep(for: redrawing)
            }
        } catch {}
    }

    private static func write(_ text: String) { Console.error.data(Data(text.utf8)) }
}
