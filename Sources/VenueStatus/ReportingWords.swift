/// Whether visits are reported to the registry.
public enum ReportPolicy: String, CaseIterable, Sendable {
    case always
    /// Each stay waits until someone at the venue agrees; without an answer it is forgotten after a day.
    case ask
    /// Nothing is recorded and nothing reported.
    case never
}

/// Why nothing is reported at the moment.
public enum ReportPause: String, CaseIterable, Sendable {
    /// The registry does not know the station's token, or no longer (401).
    case tokenRefused
    /// The station may not report: it is revoked or not allowed (403).
    case notAllowed
    /// The request was too large (413); smaller ones follow.
    case tooLarge
    /// The registry asks to come back later (429).
    case slowDown
    /// The registry has a fault (5xx).
    case registryFailing
    case unreachable
    /// The request took too long; smaller ones follow.
    case tooSlow
    /// The connection broke off before the answer.
    case brokenOff
    /// The registry's certificate cannot be trusted.
    case certificate
    /// The registry refuses the request as a whole, for another reason.
    case batchRefused
    /// The answer is not a registry's: a wrong address, or the page of a hotel's network.
    case notUnderstood
    /// The station's disk fails.
    case outboxFailing
    /// The venue's settings switch reports off.
    case switchedOff
}

/// What an outbox counts for ever, so that nothing is lost silently.
public enum OutboxTally: String, CaseIterable, Sendable {
    /// Visits merged into an earlier one of the same bike, for want of room.
    case merged
    /// Visits dropped for want of room.
    case droppedForSize
    /// Visits that could not be reported in time.
    case droppedForAge
    /// Visits that someone at the venue did not want reported.
    case dismissed
    /// Visits that nobody at the venue answered for.
    case consentExpired
    /// Outboxes set aside because they were damaged.
    case damagedFiles
    /// Visits read from damaged outboxes.
    case salvaged
    /// Visits lost to a disk that failed for too long; counted since the program started, since it cannot be written.
    case lostToFailingDisk
}
