/// Whether the registry is told of visits.
public enum ReportPolicy: String, CaseIterable, Sendable {
    case always
    /// Each stay waits until someone at the venue agrees; without an answer it is forgotten after a day.
    case ask
    /// Nothing is recorded and nothing reported.
    case never
}
