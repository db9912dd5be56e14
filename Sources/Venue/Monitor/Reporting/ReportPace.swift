public import RegistryAPI
public import RegistryClient
public import StationStatus

/// Decides how many and which visits to report together, and how long to wait after a failure. It is pure: events in,
/// decisions out.
///
/// A failure does not count against a visit if the registry or the connection may be the cause. A failed batch is
/// split, immediately if its size may be the cause. A visit that repeatedly fails alone becomes a suspect: all other
/// visits go first and suspects take turns. So a visit that breaks the registry, or something in front of it, does not
/// delay other visits and is still retried.
public struct ReportPace: Sendable {
    /// The reaction to a failure.
    public struct Reaction: Hashable, Sendable {
        public let reason: ReportPause
        /// How long to wait.
        public let wait: Duration
        /// The part of the wait that a new visit cannot cut short.
        public let atLeast: Duration
    }

    /// The visits that the next batch may contain.
    enum Round: CaseIterable {
        /// All visits except suspects.
        case unsuspected
        /// Suspects that have not had a turn.
        case suspects
        /// Every suspect has had a turn: start over.
        case all
    }

    /// The retry interval after a refusal that people must resolve: nothing is lost in the meantime.
    static let pause = Duration.seconds(300)
    /// The retry interval if there are new visits.
    static let shortPause = Duration.seconds(30)
    /// The number of faults after which a smaller batch is tried.
    static let patience = 3

    private let policy: RetryPolicy
    public private(set) var batchSize = VisitBatch.maximumCount
    /// Up to this size, which a slow line or a limit last accepted, the batch size doubles with each success; beyond
    /// it, it grows slowly.
    private var threshold = VisitBatch.maximumCount
    /// The number of failures since the last success.
    private var failures = 0
    /// The visits that failed alone.
    private var suspects: Set<VisitID> = []
    /// The suspects that were tried again in this round.
    private var hadTurn: Set<VisitID> = []

    /// The ceiling limits the delay of an alert after an outage.
    public static let standardPolicy = RetryPolicy(base: .seconds(1), ceiling: .seconds(30))

    public init(policy: RetryPolicy = standardPolicy) {
        self.policy = policy
    }

    /// The visits to leave out of a batch.
    mutating func excluded(from round: Round) -> Set<VisitID> {
        switch round {
        case .unsuspected: return suspects
        case .suspects: return hadTurn
        case .all:
            hadTurn = []
            return []
        }
    }

    /// Resets the round when nothing is due.
    mutating func rest() {
        suspects = []
        hadTurn = []
    }

    /// Notes that the registry has answered for these visits.
    public mutating func succeeded(_ visits: [VisitID]) {
        failures = 0
        suspects.subtract(visits)
        let step = batchSize < threshold ? min(batchSize, threshold - batchSize) : max(1, batchSize / 8)
        batchSize = min(batchSize + step, VisitBatch.maximumCount)
    }

    /// Decides what follows a failure.
    ///
    /// - Parameter visits: the visits in the request; empty if none was sent.
    public mutating func failed(
        _ error: any Error, visits: [VisitID], using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        failures += 1
        let reason = ReportPause(error)
        let isSplit = split(reason, visits)
        let asked = (error as? RegistryError)?.retryAfter.map { min($0, RetryPolicy.longestAsked) }
        if isSplit, reason.isOfSize { return Reaction(reason: reason, wait: asked ?? .zero, atLeast: asked ?? .zero) }
        let delay = policy.delay(afterFailures: failures, retryAfter: asked, using: &generator) ?? policy.ceiling
        let isForPeople = [.tokenRefused, .notAllowed, .certificate].contains(reason)
        let wait = isForPeople ? max(delay, Self.pause) : delay
        let first = isForPeople ? Self.shortPause : policy.base
        return Reaction(reason: reason, wait: wait, atLeast: asked == nil ? min(first, wait) : wait)
    }

    /// Makes the next batches smaller, or a visit that failed alone a suspect, if that may help.
    ///
    /// - Returns: whether smaller requests follow.
    private mutating func split(_ reason: ReportPause, _ visits: [VisitID]) -> Bool {
        guard reason.mayPassInParts, let first = visits.first, reason.isOfVisits || failures >= Self.patience
        else { return false }
        guard visits.count > 1 else {
            suspects.insert(first)
            hadTurn.insert(first)
            return false
        }
        batchSize = visits.count / 2
        if reason.isOfSize { threshold = batchSize }
        return true
    }
}
