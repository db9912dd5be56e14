/// Whether visits are reported to the registry.
public enum ReportPolicy: String, CaseIterable, Sendable {
    /// Each visit is reported without asking.
    case always
    /// Each stay waits for the venue's consent; without an answer it is dropped after a day.
    case ask
    /// Nothing is recorded or reported.
    case never
}

/// The reason why nothing is reported at the moment.
public enum ReportPause: String, CaseIterable, Sendable {
    /// The registry does not accept the station's token (401).
    case tokenRefused
    /// The station may not report: it is revoked or not allowed (403).
    case notAllowed
    /// The request was too large (413); smaller ones follow.
    case tooLarge
    /// The registry asks for fewer requests (429).
    case slowDown
    /// The registry has a fault (5xx).
    case registryFailing
    /// There is no connection to the registry.
    case unreachable
    /// The request took too long; smaller ones follow.
    case tooSlow
    /// The connection was lost before the response.
    case brokenOff
    /// The registry's certificate cannot be trusted.
    case certificate
    /// The registry refuses the whole request for another reason.
    case batchRefused
    /// The response is not from a registry, for example because of a wrong address or a captive portal.
    case notUnderstood
    /// The station's disk fails.
    case outboxFailing
    /// Reports are turned off in the venue's settings.
    case switchedOff
}

/// The permanent counters of an outbox, so that no loss is silent.
public enum OutboxTally: String, CaseIterable, Sendable {
    /// Visits merged into an earlier visit by the same bike, because the outbox was full.
    case merged
    /// Visits dropped because the outbox was full.
    case droppedForSize
    /// Visits that could not be reported in time.
    case droppedForAge
    /// Visits that the venue refused to report.
    case dismissed
    /// Visits that the venue did not answer in time.
    case consentExpired
    /// Outboxes set aside because they were damaged.
    case damagedFiles
    /// Visits read from damaged outboxes.
    case salvaged
    /// Visits lost because the disk failed for too long; counted since the program started, since the count cannot be
    /// written.
    case lostToFailingDisk
}
