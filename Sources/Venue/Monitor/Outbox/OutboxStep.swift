/// The steps at which a crash must neither lose nor repeat anything: tests stop the process at each of them.
public enum OutboxStep: String, CaseIterable, Sendable {
    /// A visit is about to be written.
    case recording
    /// The visit is on disk.
    case recorded
    /// Visits were read to be reported.
    case claimed
    /// The registry has responded, but the response is not recorded.
    case answered
    /// The response is recorded: in memory, until the next write includes it.
    case settled
}
