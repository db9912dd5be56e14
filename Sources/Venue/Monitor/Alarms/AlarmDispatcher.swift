public import Logging
public import OperatingSystem
import RegistryAPI
import Scanning
public import ServiceLifecycle

/// Rings one bell once for each alarm, one alarm after the other, while the bike is present.
///
/// A ring is recorded only after it succeeded: after a crash in between, the bell rings again, since a missed alarm is
/// worse than a repeated one.
public struct AlarmDispatcher: Service {
    private let bell: any AlarmBell
    private let outbox: Outbox
    private let signal: WakeUp
    private let status: AlarmStatus
    private let logger: Logger

    /// - Parameter signal: sent when there is a new alarm, or when a bell that failed can be tried again.
    public init(
        bell: any AlarmBell, outbox: Outbox, signal: WakeUp, status: AlarmStatus, logger: Logger
    ) {
        self.bell = bell
        self.outbox = outbox
        self.signal = signal
        self.status = status
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // The rings that a failing disk cannot store.
            var rung: Set<VisitID> = []
            var outage = OutageLog()
            while true {
                do {
                    try await ringAll(&rung)
                    _ = outage.succeeded()
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    if outage.failed("\(error)", at: BootClock.now()) {
                        logger.warning("alarm waits", metadata: ["bell": "\(bell.name)", "reason": "\(error)"])
                    }
                }
                await signal.wait()
                try Task.checkCancellation()
            }
        }
    }

    /// Rings for all alarms that are due.
    ///
    /// - Parameter rung: alarms that have rung, but could not be stored as such: they do not ring again.
    private func ringAll(_ rung: inout Set<VisitID>) async throws {
        while true {
            let (alarms, skipped) = try await outbox.alarmsDue(at: bell.name)
            if skipped > 0 {
                status.skipped(skipped)
                logger.warning("alarms skipped: newer ones wait", metadata: ["count": "\(skipped)"])
            }
            // Query again after each ring, since a bike may have left and another may have arrived.
            guard let alarm = alarms.first(where: { !rung.contains($0.id) }) else { return }
            try Task.checkCancellation()
            try await bell.ring(alarm)
            rung.insert(alarm.id)
            try await outbox.noteRung(alarm, at: bell.name)
            rung.remove(alarm.id)
        }
    }
}

extension AlarmDispatcher: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "alarms by \(bell.name)" }
}

/// One means of alerting the venue's staff.
public protocol AlarmBell: Sendable {
    /// Must never change: the outbox stores the alarms that have rung under this name.
    var name: String { get }

    /// Alerts the staff.
    ///
    /// - Throws: an error if the alert failed and should be retried.
    func ring(_ alarm: Alarm) async throws
}
