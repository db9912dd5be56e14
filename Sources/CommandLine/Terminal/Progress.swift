import Foundation

/// Shows the program's activity if it takes more than a second: a line on standard error that is redrawn, and removed
/// at the end. On terminals only.
public enum Progress {
    @TaskLocal private static var isTelling = false

    private static var isWatched: Bool {
        Console.error.isTerminal && ExecutionEnvironment.current.variables["TERM"] != "dumb"
    }

    /// - Parameter activity: the activity in words, such as “asking the registry”.
    public static func during<Answer>(
        _ activity: String, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Answer
    ) async rethrows -> Answer {
        guard isWatched, !isTelling else { return try await work() }
        // Ends with this scope.
        async let _: Void = tell(activity)
        return try await $isTelling.withValue(true, operation: work)
    }

    private static func tell(_ activity: String) async {
        let start = ContinuousClock.now
        do {
            try await Task.sleep(for: .seconds(1))
            defer { write("\r\u{1B}[K") }
            while true {
                write("\r\u{1B}[K\(TerminalText.line(activity)), \(start.duration(to: .now).components.seconds) s …")
                try await Task.sleep(for: .milliseconds(500))
            }
        } catch {}
    }

    private static func write(_ text: String) { Console.error.data(Data(text.utf8)) }
}
