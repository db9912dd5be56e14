/// The points between which a crash must lose nothing and repeat nothing: tests stop the process at each of them.
public enum OutboxStep: String, CaseIterable, Sendable {
    /// A visit is about to be written.
    case recording
    /// The visit is on disk.
    case recorded
    /// Visits were read for a report.
    case claimed
    /// The registry has answered, nothing of the answer is noted.
    case answered
    /// The answer is noted: in memory, until the next write takes it along.
    case settled
}
