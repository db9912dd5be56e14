public import Beacons
public import RegistryAPI
import RegistryClient
import Synchronization
public import VenueStatus

/// How reporting fares. Read at any time, without waiting.
public final class ReportStatus: Sendable {
    public struct State: Hashable, Sendable {
        /// Why nothing is reported at the moment; nil while all is well.
        public internal(set) var pause: ReportPause?
        /// Since when it has been so, by the boot clock.
        public internal(set) var failingSince: ScanInstant?
        /// When the next attempt is made, by the boot clock.
        public internal(set) var nextAttempt: ScanInstant?
        /// When the registry last answered for visits, by the boot clock.
        public internal(set) var lastReport: ScanInstant?
        /// The last failure, even if all is well again.
        public internal(set) var lastError: String?
        public internal(set) var lastErrorTime: ScanInstant?
        /// The registry's answers since the program started.
        public internal(set) var answers: [VisitResult.Verdict: Int] = [:]
    }

    private let guarded = Mutex(State())

    public init() {}

    public var state: State { guarded.withLock(\.self) }

    func reported(_ results: [VisitResult], at now: ScanInstant) {
        guarded.withLock { state in
            state.pause = nil
            state.failingSince = nil
            state.nextAttempt = nil
            state.lastReport = now
            for result in results { state.answers[result.result, default: 0] += 1 }
        }
    }

    /// Nothing waits any more.
    func rested() {
        guarded.withLock { state in
            state.pause = nil
            state.failingSince = nil
            state.nextAttempt = nil
        }
    }

    func failed(_ reaction: ReportPace.Reaction, _ error: any Error, at now: ScanInstant) {
        guarded.withLock { state in
            state.pause = reaction.reason
            state.failingSince = state.failingSince ?? now
            state.nextAttempt = now.advanced(by: reaction.wait)
            state.lastError = (error as? RegistryError)?.stationWords ?? "\(error)"
            state.lastErrorTime = now
        }
    }
}

extension RegistryError {
    /// The description for people at a station: a refused token is the station’s, and the operator revoked it.
    var stationWords: String {
        guard case .refused(let problem, _) = self, problem.status == 401 else { return description }
        return
            "the registry refuses this station’s token: its operator has revoked the station. Ask for a new code, then "
            + "‘findmybike-monitor enrol URL CODE --replace’"
    }
}
