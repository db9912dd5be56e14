import RegistryRules

/// The pauses after failed attempts to reach a partner, one after the other: a second, then twice as long each time, at
/// most about a minute; longer if the partner asks for it.
struct PartnerBackoff {
    /// Failures in a row, counted up to ``mostDoublings``.
    private(set) var failures = 0

    private static let mostDoublings = 6
    /// The longest pause that a partner can ask for.
    private static let longestAsked = Duration.seconds(3600)

    mutating func succeeded() { failures = 0 }

    /// Counts a failure, and returns the pause after it.
    ///
    /// - Parameter error: a ``PartnerFailure`` may say how long the partner asks to wait.
    mutating func failed(_ error: (any Error)? = nil) -> Duration {
        defer { failures = min(failures + 1, Self.mostDoublings) }
        let asked = min((error as? PartnerFailure)?.retryAfter ?? .zero, Self.longestAsked)
        return max(.seconds(1 << failures), asked)
    }
}
