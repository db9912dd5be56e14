public import Concurrency
public import Logging
import RegistryAPI
public import ServiceLifecycle

/// Rings one bell for each alarm that it has not rung for, one after the other, as long as the bike is there.
///
/// That it has rung is written down afterwards: a crash in between rings again, since an alarm that nobody hears is worse
/// than one that is heard twice.
public struct AlarmDispatcher: Service {
    private let bell: any AlarmBell
    private let outbox: Outbox
    private let signal: WakeUp
    private let status: AlarmStatus
    private let logger: Logger

    /// - Parameter signal: sent when there is an alarm, or when a bell that could not ring may ring now.
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
            // What a disk that fails cannot keep.
            var rung: Set<VisitID> = []
            while true {
                do {
                    try await ringAll(&rung)
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    logger.warning("alarm waits", metadata: ["bell": "\(bell.name)", "reason": "\(error)"])
                }
                await signal.wait()
                try Task.checkCancellation()
            }
        }
    }

    private func ringAll(_ rung: inout Set<VisitID>) async throws {
        while true {
            let (alarms, skipped) = try await outbox.alarmsDue(at: bell.name)
            if skipped > 0 {
                status.skipped(skipped)
                logger.warning("alarms skipped: newer ones wait", metadata: ["count": "\(skipped)"])
            }
            // After each, since a bike may have left and another come.
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
    /// Never changes: the outbox remembers under it which alarms have rung.
    var name: String { get }

    /// Alerts the staff.
    ///
    /// - Throws: if that failed and should be tried again.
    func ring(_ alarm: Alarm) async throws
}
