public import RegistryAPI
public import RegistryClient
public import VenueStatus

/// How many visits to report at once, which of them, and how long to wait after a failure: what happened in, what to do
/// out.
///
/// No failure is held against a visit while it may be the registry's or the line's own. A batch that fails is split, at
/// once where its size may be the reason. A visit that fails alone again and again becomes a suspect: all others go first,
/// and suspects take turns, so that one that breaks the registry, or something before it, holds up no other and is still
/// tried again.
public struct ReportPace: Sendable {
    /// What to do after a failure.
    public struct Reaction: Hashable, Sendable {
        public let reason: ReportPause
        /// How long to wait.
        public let wait: Duration
        /// How much of that a new visit cannot cut short.
        public let atLeast: Duration
    }

    /// Which visits to leave out of the next batch.
    enum Round: CaseIterable {
        /// All that are no suspects.
        case unsuspected
        /// Suspects that had no turn yet.
        case suspects
        /// Each had a turn: all over again.
        case all
    }

    /// A refusal that people must mend is tried again this often: nothing is lost meanwhile.
    static let pause = Duration.seconds(300)
    /// The same where there is something new.
    static let shortPause = Duration.seconds(30)
    /// Faults after which a smaller batch is tried.
    static let patience = 3

    private let policy: RetryPolicy
    public private(set) var batchSize = VisitBatch.maximumCount
    /// Up to here the size doubles with each success, and grows slowly beyond: what a slow line or a limit took last.
    private var threshold = VisitBatch.maximumCount
    private var failures = 0
    private var suspects: Set<VisitID> = []
    private var hadTurn: Set<VisitID> = []

    /// The ceiling bounds how late an alert is after an outage.
    public static let standardPolicy = RetryPolicy(base: .seconds(1), ceiling: .seconds(30))

    public init(policy: RetryPolicy = standardPolicy) {
        self.policy = policy
    }

    /// The visits to leave out.
    mutating func excluded(from round: Round) -> Set<VisitID> {
        switch round {
        case .unsuspected: return suspects
        case .suspects: return hadTurn
        case .all:
            hadTurn = []
            return []
        }
    }

    /// Nothing is due.
    mutating func rest() {
        suspects = []
        hadTurn = []
    }

    public mutating func succeeded(_ visits: [VisitID]) {
        failures = 0
        suspects.subtract(visits)
        let step = batchSize < threshold ? min(batchSize, threshold - batchSize) : max(1, batchSize / 8)
        batchSize = min(batchSize + step, VisitBatch.maximumCount)
    }

    /// - Parameter visits: what was in the request; empty where none was made.
    public mutating func failed(
        _ error: any Error, visits: [VisitID], using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        failures += 1
        let reason = ReportPause(error)
        let isSplit = split(reason, visits)
        let asked = (error as? RegistryError)?.retryAfter
        if isSplit, reason.isOfSize { return Reaction(reason: reason, wait: asked ?? .zero, atLeast: asked ?? .zero) }
        let delay = policy.delay(afterFailures: failures, retryAfter: asked, using: &generator) ?? policy.ceiling
        let isForPeople = [.tokenRefused, .notAllowed, .certificate].contains(reason)
        let wait = isForPeople ? max(delay, Self.pause) : delay
        let first = isForPeople ? Self.shortPause : policy.base
        return Reaction(reason: reason, wait: wait, atLeast: asked == nil ? min(first, wait) : wait)
    }

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
