import Beacons
public import Logging
import RegistryAPI
public import Scanning
public import StationStatus
import Synchronization

/// The content that this monitor publishes to the venue's broker.
public struct MonitorVenueSource: VenueSource {
    let staff: StaffAnswers
    let list: CurrentList
    let radios: @Sendable () -> [any RadioScanner]
    let logger: Logger
    /// The numbers of reports at the last reading, for rates.
    private let last = LastReports()

    private final class LastReports: Sendable {
        let counts = Mutex<[String: (reports: Int, time: ScanInstant)]>([:])
    }
    /// Anybody who may publish to the broker's topic can cause the lines about answers.
    private let warnings = Warnings()

    private final class Warnings: Sendable {
        let limit = Mutex(LogLimit(1))
    }

    public init(
        staff: StaffAnswers, list: CurrentList, radios: @escaping @Sendable () -> [any RadioScanner], logger: Logger
    ) {
        self.staff = staff
        self.list = list
        self.radios = radios
        self.logger = logger
    }

    public func reading() async throws -> StationReading {
        var rates: [String: Double] = [:]
        for radio in radios() {
            for health in await radio.wholeHealth {
                rates[health.adapter] = rate(of: health.adapter, reports: health.reports)
            }
        }
        return StationReading(
            advertsPerSecond: rates, listAge: list.age.map { ($0 / .seconds(1)).rounded() },
            outboxDepth: try await staff.outbox.depth())
    }

    /// The bikes of alarms that are here now.
    public func bikes() async throws -> [MissingBikeHere] {
        try await staff.outbox.alarms(limit: 100).filter(\.isPresent).map(MissingBikeHere.init)
    }

    /// Yields when ``bikes()`` may have changed. Changes in quick succession count as one.
    public func changes() -> AsyncStream<Void> {
        // The end of a visit is on disk when the registry acknowledges it.
        let kinds: Set<String> = ["alarm", "alarm-answered", "visit-stored"]
        let events = staff.venue.events.stream()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                for await event in events where kinds.contains(event.kind) {
                    continuation.yield()
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    public func answer(isSeen: Bool, visit: String?) async {
        do {
            let open = try await staff.outbox.alarms().filter { $0.answer == nil }
            guard let visit = visit ?? (open.count == 1 ? "\(open[0].id)" : nil) else {
                return warn(
                    .warning, "an answer through the broker names no visit, which works only with one unanswered alarm",
                    ["unanswered": "\(open.count)"])
            }
            guard try await staff.take(visit, isSeen: isSeen) else {
                return warn(.warning, "an answer through the broker is for no alarm", ["visit": "\(visit)"])
            }
        } catch {
            warn(.error, "an answer through the broker could not be saved", ["reason": "\(error)"])
        }
    }

    /// Logs at most one line a minute.
    private func warn(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata) {
        let now = staff.venue.clock.now
        let (omitted, isAllowed) = warnings.limit.withLock { ($0.takeOmitted(at: now), $0.allows(at: now)) }
        guard isAllowed else { return }
        var metadata = metadata
        metadata["omitted"] = omitted.map { "\($0)" }
        logger.log(level: level, message, metadata: metadata)
    }

    /// Adverts a second since the last call, to a tenth; zero on the first call.
    private func rate(of adapter: String, reports: Int) -> Double {
        let now = staff.venue.clock.now
        let before = last.counts.withLock { counts in
            defer { counts[adapter] = (reports, now) }
            return counts[adapter]
        }
        guard let before, reports >= before.reports else { return 0 }
        let seconds = before.time.duration(to: now).seconds
        return seconds > 0 ? (Double(reports - before.reports) / seconds * 10).rounded() / 10 : 0
    }
}

extension MissingBikeHere {
    public init(_ alarm: Alarm) {
        let visit = alarm.kept.visit
        self.init(
            visit: "\(alarm.id)", kind: alarm.lookFor.kind, make: alarm.lookFor.make, model: alarm.lookFor.model,
            colours: alarm.lookFor.colours, proximity: visit.proximity,
            firstSeen: visit.timeUncertain == true ? nil : "\(visit.firstSeen)", answer: alarm.answer,
            receiver: visit.receiver?.name, photo: alarm.lookFor.photo)
    }
}
