import Beacons
public import Logging
public import OperatingSystem
public import RegistryAPI
public import RegistryClient
import Scanning
public import ServiceLifecycle
import StationStatus
import Synchronization

/// Sends the outbox to the registry in batches, until there is a result for each visit.
public struct Reporter: Service {
    /// The state of reporting.
    public let status = ReportStatus()
    /// The state of alarms.
    public let alarmStatus: AlarmStatus

    private let outbox: Outbox
    private let registry: any VisitReceiver
    private let signal: WakeUp
    private let policy: RetryPolicy
    let venue: Venue
    private let alarms: AlarmDuty
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let lines = Lines()

    /// Limits the lines about results. Somebody who replays the beacons of many missing bikes causes one for each.
    private final class Lines: Sendable {
        static let perMinute = 60
        private let limit = Mutex(LogLimit(perMinute))

        func allow(at now: ScanInstant) -> Bool { limit.withLock { $0.allows(at: now) } }
        func takeOmitted(at now: ScanInstant) -> Int? { limit.withLock { $0.takeOmitted(at: now) } }
    }

    /// - Parameters:
    ///   - signal: sent when there is something to report.
    ///   - policy: how failures are retried.
    ///   - alarms: decides which responses raise an alarm.
    ///   - clock: for pauses.
    public init(
        outbox: Outbox,
        registry: any VisitReceiver,
        signal: WakeUp,
        policy: RetryPolicy = ReportPace.standardPolicy,
        venue: Venue = Venue(clock: StationClock(.system())),
        alarms: AlarmDuty = .none,
        alarmStatus: AlarmStatus = AlarmStatus(),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.outbox = outbox
        self.registry = registry
        self.signal = signal
        self.policy = policy
        self.venue = venue
        self.alarms = alarms
        self.alarmStatus = alarmStatus
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        if venue.policy != .never {
            try? await cancelWhenGracefulShutdown { try await reportForEver() }
            await reportRest()
        } else {
            await cancelWhenGracefulShutdown { while !Task.isCancelled { await signal.wait() } }
        }
        do {
            try await outbox.flush()
        } catch {
            logger.warning("answers not saved: their visits will be reported again", metadata: ["reason": "\(error)"])
        }
    }

    /// Tries once more to report what the last scan left; the rest waits on disk for the next start.
    private func reportRest() async {
        do {
            while try await reportOnce() {}
        } catch is CancellationError {
            return
        } catch {
            logger.warning("visits kept for the next start", metadata: ["reason": "\(error)"])
        }
    }

    /// Reports what is due, until the task is cancelled.
    private func reportForEver() async throws {
        var generator = SystemRandomNumberGenerator()
        var pace = ReportPace(policy: policy)
        var outage = OutageLog()
        while true {
            var batch: [Outbox.Pending] = []
            do {
                batch = try await outbox.pending(by: &pace)
                if batch.isEmpty {
                    pace.rest()
                    status.rested()
                    await signal.wait()
                    try Task.checkCancellation()
                } else {
                    try await report(batch)
                    pace.succeeded(batch.map(\.visit.id))
                    if outage.succeeded() { logger.notice("visits reach the registry again") }
                }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                let reaction = pace.failed(error, visits: batch.map(\.visit.id), using: &generator)
                note(error, reaction, &outage)
                try await clock.sleep(for: reaction.atLeast)
                if reaction.wait > reaction.atLeast {
                    await signal.wait(atMost: reaction.wait - reaction.atLeast) { [clock] in
                        try await clock.sleep(for: $0)
                    }
                    try Task.checkCancellation()
                }
            }
        }
    }

    /// Shows and announces a failure, and logs the first of an outage.
    private func note(_ error: any Error, _ reaction: ReportPace.Reaction, _ outage: inout OutageLog) {
        status.failed(reaction, error, at: venue.clock.now)
        venue.events.send("report-failed", ["reason": "\(error)"])
        guard outage.failed("\(error)", at: venue.clock.now) else { return }
        logger.warning(
            "visits not reported yet", metadata: ["reason": "\(error)", "retryIn": "\(reaction.wait)"])
    }

    /// Sends one batch; returns false if nothing was due.
    public func reportOnce() async throws -> Bool {
        let pending = try await outbox.pending()
        guard !pending.isEmpty else { return false }
        try await report(pending)
        return true
    }

    /// Sends a batch, stores the results, and raises the alarms that they cause.
    ///
    /// - Throws: ``RegistryError`` if the request failed, or the error of the outbox.
    private func report(_ pending: [Outbox.Pending]) async throws {
        let visits = pending.map { $0.kept.told(by: venue.clock) }
        let answer = try await registry.report(
            VisitBatch(visits: visits, partners: venue.partners.isAllowed ? nil : false))
        guard answer.results.map(\.id) == pending.map(\.visit.id) else {
            throw RegistryError.malformedAnswer("the results do not match the \(pending.count) visits")
        }
        let answers = Array(zip(pending, answer.results).map { (pending: $0, result: $1) })
        let ringing = try await outbox.settle(answers, ringing: alarms.current(pending, by: venue.clock))
        status.reported(answer.results, at: venue.clock.now)
        if let omitted = lines.takeOmitted(at: venue.clock.now) {
            logger.notice("many results: some are not in the log", metadata: ["linesLeftOut": "\(omitted)"])
        }
        for (pending, result) in answers { tell(pending.visit, result) }
        let rung = answers.filter { ringing.contains($0.pending.visit.id) }
        for (pending, result) in rung { tellAlarm(pending.visit, result.lookFor) }
        guard !rung.isEmpty else { return }
        alarmStatus.made(rung.count)
        alarms.wake()
    }

    /// Announces and logs an alarm.
    private func tellAlarm(_ visit: Visit, _ lookFor: BikeAppearance?) {
        let appearance = lookFor?.text ?? ""
        venue.events.send(
            "alarm", ["visit": "\(visit.id)", "lookFor": appearance, "proximity": visit.proximity.rawValue])
        guard lines.allow(at: venue.clock.now) else { return }
        logger.notice("alarm: a missing bike is here", metadata: ["visit": "\(visit.id)", "lookFor": "\(appearance)"])
    }

    /// Announces and logs the result for a visit.
    private func tell(_ visit: Visit, _ result: VisitResult) {
        let id: Logger.Metadata = ["visit": "\(visit.id)"]
        venue.events.send("visit-\(result.result.rawValue)", ["visit": "\(visit.id)"])
        guard result.result == .ignored || lines.allow(at: venue.clock.now) else { return }
        switch result.result {
        case .stored:
            logger.info(
                "sighting stored by the registry",
                metadata: id.merging(["lookFor": "\(result.lookFor?.text ?? "not disclosed")"]) { $1 }
            )
        case .ignored:
            // The list is hashed and may be outdated. A bike that is not missing leaves no trace.
            logger.debug("visit ignored by the registry: no bike with this identity was missing then", metadata: id)
        case .invalid:
            let reasons = (result.errors ?? []).map { "\($0.pointer): \($0.detail)" }.joined(separator: "; ")
            logger.error(
                "visit set aside: the registry calls it invalid", metadata: id.merging(["reason": "\(reasons)"]) { $1 })
        }
    }
}

extension Reporter: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "reporter" }
}

/// A receiver of visits: the registry, or a model of it.
public protocol VisitReceiver: Sendable {
    /// Reports visits and returns a result for each, in order.
    ///
    /// - Throws: ``RegistryError`` if all visits are refused or the request failed.
    func report(_ batch: VisitBatch) async throws -> VisitBatchResult
}

extension RegistryConnection: VisitReceiver {}
