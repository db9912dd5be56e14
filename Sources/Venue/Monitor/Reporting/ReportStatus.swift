public import Beacons
public import RegistryAPI
import RegistryClient
public import StationStatus
import Synchronization

/// The state of reporting. Can be read at any time, without waiting.
public final class ReportStatus: Sendable {
    /// The state at one time.
    public struct State: Hashable, Sendable {
        /// The reason why nothing is reported at the moment; nil if there is no problem.
        public internal(set) var pause: ReportPause?
        /// The boot-clock time of the first of the current failures in a row.
        public internal(set) var failingSince: ScanInstant?
        /// The boot-clock time of the next attempt.
        public internal(set) var nextAttempt: ScanInstant?
        /// The boot-clock time of the registry's last response to visits.
        public internal(set) var lastReport: ScanInstant?
        /// The last failure, even if later reports succeeded.
        public internal(set) var lastError: String?
        /// The boot-clock time of the last failure.
        public internal(set) var lastErrorTime: ScanInstant?
        /// The registry's results since the program started.
        public internal(set) var answers: [VisitResult.Verdict: Int] = [:]
    }

    private let guarded = Mutex(State())

    public init() {}

    public var state: State { guarded.withLock(\.self) }

    /// Notes that the registry has answered.
    func reported(_ results: [VisitResult], at now: ScanInstant) {
        guarded.withLock { state in
            state.pause = nil
            state.failingSince = nil
            state.nextAttempt = nil
            state.lastReport = now
            for result in results { state.answers[result.result, default: 0] += 1 }
        }
    }

    /// Notes that nothing is waiting any longer.
    func rested() {
        guarded.withLock { state in
            state.pause = nil
            state.failingSince = nil
            state.nextAttempt = nil
        }
    }

    /// Notes a failure, and when the next attempt follows.
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
    /// A description for people at a station: a refused token means that the operator revoked the station's token.
    var stationWords: String {
        guard case .refused(let problem, _) = self, problem.status == 401 else { return description }
        return
            "the registry refuses this station’s token: its operator has revoked the station. Ask for a new code, then "
            + "‘findmybike-monitor enrol URL CODE --replace’"
    }
}
