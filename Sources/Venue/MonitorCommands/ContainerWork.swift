import CommandSupport
import Logging
import MonitorConfiguration
import RegistryAPI
import ServiceLifecycle
import StationStatus
import Synchronization
import Syntax

/// Tries to set a container up until it succeeds, and says why it does not.
final class ContainerWork: Service {
    /// The attempts, half a minute apart, after which a station starts without optional values.
    private static let patientAttempts = 3
    /// The time between two attempts.
    private static let pause = Duration.seconds(30)
    /// Until the container ends.
    private static let forever = Duration.seconds(1 << 30)

    private let setup: ContainerPreparation
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let state = Mutex<(notice: [String], result: [String: String]?)>((["This station is starting."], nil))

    init(setup: ContainerPreparation, clock: any Clock<Duration> = ContinuousClock(), logger: Logger) {
        self.setup = setup
        self.clock = clock
        self.logger = logger
    }

    /// What people should know now.
    var notice: [String] { state.withLock(\.notice) }
    /// The environment of the monitor; nil until it can start.
    var result: [String: String]? { state.withLock(\.result) }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var attempts = 0
            while true {
                do {
                    attempts += 1
                    let variables = try await self.setup.prepare(isPatient: attempts < Self.patientAttempts) {
                        self.logger.warning("\($0)")
                    }
                    return self.state.withLock { $0.result = variables }
                } catch {
                    try Task.checkCancellation()
                    let mayPass = self.noteFailure(error)
                    // The options can change only with another start.
                    try await self.clock.sleep(for: mayPass ? Self.pause : Self.forever)
                }
            }
        }
    }

    /// Says why an attempt has failed, if the last one failed for another reason.
    ///
    /// - Returns: whether another attempt may succeed.
    private func noteFailure(_ error: any Error) -> Bool {
        let failure =
            CommandFailure(common: error) ?? (error as? ContainerFailure).map { CommandFailure($0) }
            ?? CommandFailure(.software, "\(error)")
        let message = setup.hasOptions ? ContainerOptions.named(in: failure.message) : failure.message
        let lines = message.split(at: "\n").map(String.init)
        // The disk may have room later, and a container has no person to repeat a command.
        let mayPass = failure.isTransient || [.ioError, .cannotCreate].contains(failure.status)
        guard lines != notice else { return mayPass }
        state.withLock { $0.notice = lines }
        logger.warning("The station is not listening yet: \(lines.joined(separator: " "))")
        return mayPass
    }
}

extension CommandFailure {
    fileprivate init(_ failure: ContainerFailure) {
        switch failure {
        case .unreadableOptions: self.init(.configuration, "\(failure)")
        case .noSupervisor: self.init(.unavailable, "\(failure)")
        }
    }
}

/// No bikes: nothing listens yet.
struct NoDisplays: DisplaySource {
    func view(_ terms: DisplayTerms) async throws -> DisplayView { throw CancellationError() }
    func health() async -> StationHealth { StationHealth(state: .starting) }
    func answer(_ visit: VisitID, _ answer: VisitConfirmation.Answer) async throws -> Bool { false }
}
