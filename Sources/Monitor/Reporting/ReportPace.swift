public import RegistryAPI
public import RegistryClient

/// How many visits to report at once and how long to wait after a failure: what happened in, what to do out.
///
/// A refusal of a whole request keeps every visit. One that is too large is split. One that fails for reasons of its own is
/// split too, so that a single visit that breaks the registry, or something before it, holds up no other.
public struct ReportPace: Sendable {
    /// What to do after a failure.
    public struct Reaction: Hashable, Sendable {
        public let reason: ReportPause
        public let wait: Duration
        /// A visit that failed alone, and is to be left out until the others are told.
        public let passedOver: VisitID?
    }

    /// A refusal that people must mend is tried again this often: nothing is lost meanwhile.
    static let pause = Duration.seconds(300)
    /// Faults after which a smaller batch is tried.
    static let patience = 3

    private let policy: RetryPolicy
    public private(set) var batchSize = VisitBatch.maximumCount
    private var failures = 0
    public private(set) var passedOver: Set<VisitID> = []

    public init(policy: RetryPolicy = RetryPolicy(base: .seconds(1), ceiling: .seconds(60))) {
        self.policy = policy
    }

    public mutating func succeeded() {
        failures = 0
        batchSize = min(batchSize * 2, VisitBatch.maximumCount)
    }

    /// Nothing else is left: those that were passed over are due again.
    public mutating func startOver() {
        passedOver = []
    }

    /// - Parameter visits: what was in the request; empty where none was made.
    public mutating func failed(
        _ error: any Error, visits: [VisitID], using generator: inout some RandomNumberGenerator
    ) -> Reaction {
        failures += 1
        let reason = ReportPause(error)
        let alone = split(reason, visits)
        return Reaction(reason: reason, wait: wait(reason, error, using: &generator), passedOver: alone)
    }

    private mutating func split(_ reason: ReportPause, _ visits: [VisitID]) -> VisitID? {
        let isFault = reason == .registryFailing
        guard reason.mayPassInParts, !visits.isEmpty, !isFault || failures % Self.patience == 0 else { return nil }
        guard visits.count == 1, let alone = visits.first else {
            batchSize = max(1, visits.count / 2)
            return nil
        }
        passedOver.insert(alone)
        return alone
    }

    private func wait(
        _ reason: ReportPause, _ error: any Error, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let asked = (error as? RegistryError)?.retryAfter
        let delay = policy.delay(afterFailures: failures, retryAfter: asked, using: &generator) ?? policy.ceiling
        switch reason {
        case .tooLarge where passedOver.isEmpty && batchSize > 1: return asked ?? .zero
        case .tokenRefused, .notAllowed, .certificate: return max(delay, Self.pause)
        default: return delay
        }
    }
}
