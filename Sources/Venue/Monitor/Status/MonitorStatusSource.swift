import Beacons
import MissingList
import OperatingSystem
import RegistryAPI
public import Scanning
public import StationStatus

/// The status of this monitor, collected on request.
public struct MonitorStatusSource: StatusSource {
    /// Other sources of the status; each is called whenever the status is read.
    public struct Others: Sendable {
        /// The current radios, which may change.
        let radios: @Sendable () -> [any RadioScanner]
        /// Nil if nothing watches the radios.
        let watchdog: WatchdogStatus?
        /// Nil without a receiver of positions.
        let receiver: (@Sendable () -> Link)?
        /// Nil without a broker.
        let broker: (@Sendable () -> Link)?

        /// The state of a link to something else at the venue.
        public struct Link: Sendable {
            /// Whether it delivers now: the receiver has a fix, or the broker is connected.
            let works: Bool
            let lastError: String?

            public init(works: Bool, lastError: String?) {
                self.works = works
                self.lastError = lastError
            }
        }

        public init(
            radios: @escaping @Sendable () -> [any RadioScanner], watchdog: WatchdogStatus?,
            receiver: (@Sendable () -> Link)?,
            broker: (@Sendable () -> Link)?
        ) {
            self.radios = radios
            self.watchdog = watchdog
            self.receiver = receiver
            self.broker = broker
        }
    }

    let staff: StaffAnswers
    let advice: AlarmAdvice
    let alarmStatus: AlarmStatus
    let others: Others
    private let version: String
    private let outboxPath: String
    private let reporting: ReportStatus
    private let list: CurrentList
    /// The state of requests for the list.
    private let listing: ListStatus
    /// When the program started.
    private let start = BootClock.now()

    var outbox: Outbox { staff.outbox }
    var venue: Venue { staff.venue }

    public init(
        version: String, staff: StaffAnswers, outboxPath: String, reporting: ReportStatus, list: CurrentList,
        listing: ListStatus, advice: AlarmAdvice, alarms: AlarmStatus, others: Others
    ) {
        self.version = version
        self.staff = staff
        self.outboxPath = outboxPath
        self.reporting = reporting
        self.list = list
        self.listing = listing
        self.advice = advice
        alarmStatus = alarms
        self.others = others
    }

    public func report() async throws -> StatusReport {
        let summary = try await outbox.summary()
        var report = StatusReport()
        report.version = version
        report.uptime = start.duration(to: venue.clock.now).seconds
        report.clock.isKnown = venue.clock.isCertain
        report.clock.isSynchronised = venue.clock.isSynchronised
        report.clock.time = "\(venue.clock.wallTime)"
        report.radios = await radioReports()
        report.hearing = hearing()
        report.list.version = Int64(clamping: list.identities.version.number)
        report.list.count = list.identities.count
        report.list.age = list.age.map { $0 / .seconds(1) }
        report.list.failingFor = age(listing.state.failingSince)
        report.list.lastError = listing.state.lastError
        report.list.lastErrorAge = age(listing.state.lastErrorTime)
        report.outbox = describe(summary)
        report.reporting = reports()
        report.location = location()
        report.consent.policy = StatusWord(venue.policy)
        report.consent.pending = summary.awaitingConsent
        report.partners = StatusReport.Partners(isAllowed: venue.partners.isAllowed, names: venue.partners.names)
        report.alarms = try await alarmReport()
        return report
    }

    public func pending() async throws -> [PendingVisit] {
        try await outbox.awaitingConsent().map { kept in
            PendingVisit(
                id: "\(kept.visit.id)", beacon: "\(kept.visit.identity)", firstSeen: "\(kept.visit.firstSeen)",
                lastSeen: "\(kept.visit.lastSeen)", frames: kept.visit.count, isPresent: !kept.visit.ended,
                proximity: kept.visit.proximity)
        }
    }

    public func answer(_ visit: String, isAgreed: Bool) async throws -> Bool {
        guard let id = VisitID(visit), try await outbox.answer(id, isAgreed: isAgreed) else { return false }
        venue.events.send(isAgreed ? "visit-confirmed" : "visit-dismissed", ["visit": visit])
        if isAgreed { staff.signal.wake() }
        return true
    }

    public func answer(_ visit: String, isSeen: Bool) async throws -> Bool {
        try await staff.take(visit, isSeen: isSeen)
    }

    public func events() -> AsyncStream<StatusEvent> {
        let events = venue.events.stream()
        return AsyncStream { continuation in
            let task = Task {
                for await event in events { continuation.yield(.init(kind: event.kind, details: event.details)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

// The parts of the report.
extension MonitorStatusSource {
    /// The seconds since an instant of the boot clock; nil without one.
    private func age(_ instant: ScanInstant?) -> Double? {
        instant.map { max(0, $0.duration(to: venue.clock.now).seconds) }
    }

    private func radioReports() async -> [StatusReport.Radio] {
        let helped = Dictionary((others.watchdog?.radios ?? []).map { ($0.adapter, $0) }) { first, _ in first }
        var reports: [StatusReport.Radio] = []
        for radio in others.radios() {
            for health in await radio.wholeHealth { reports.append(report(of: health, helped[health.adapter])) }
        }
        return reports
    }

    private func report(of health: RadioHealth, _ help: WatchdogStatus.Radio?) -> StatusReport.Radio {
        var report = StatusReport.Radio(adapter: health.adapter, state: health.state)
        report.reports = health.reports
        report.lastReportAge = age(health.lastReport)
        report.dropped = health.dropped
        report.malformed = health.malformed
        report.lastError = health.lastError
        report.recoveries = Dictionary(counts: health.recoveries)
        report.isSwitchedOff = health.isSwitchedOff
        if let help {
            report.failedRecoveries = Dictionary(counts: help.failed)
            report.lastRecovery = help.lastStep.map { StatusWord($0) }
            report.lastRecoveryAge = age(help.lastStepTime)
            report.revivals = help.revivals
        }
        return report
    }

    private func hearing() -> StatusReport.Hearing {
        let counts = venue.hearing.counts
        var hearing = StatusReport.Hearing()
        hearing.adverts = counts.adverts
        hearing.beacons = counts.beacons
        hearing.candidates = counts.candidates
        hearing.advertsPerSecond = counts.advertsPerSecond
        hearing.displaced = counts.displaced
        return hearing
    }

    private func describe(_ summary: OutboxSummary) -> StatusReport.Outbox {
        var report = StatusReport.Outbox()
        report.path = outboxPath
        report.waiting = summary.waiting
        report.oldestAge = summary.oldestWaiting.map { max(0, $0.duration(to: venue.clock.wallTime).seconds) }
        report.open = summary.open
        report.awaitingPlace = summary.awaitingPlace
        report.awaitingClock = summary.awaitingClock
        report.setAside = summary.setAside
        report.tally = Dictionary(counts: summary.tally)
        let forgotten = venue.hearing.counts.forgotten
        if forgotten > 0 { report.tally[StatusWord(.lostToFailingDisk)] = forgotten }
        report.damagedFiles = Outbox.filesSetAside(beside: outboxPath)
        report.isDiskFailing = venue.hearing.counts.isDiskFailing
        return report
    }

    private func reports() -> StatusReport.Reporting {
        let state = reporting.state
        var report = StatusReport.Reporting()
        report.pause = (venue.policy == .never ? .switchedOff : state.pause).map { StatusWord($0) }
        report.failingFor = age(state.failingSince)
        report.nextAttemptIn = state.nextAttempt.map { max(0, venue.clock.now.duration(to: $0).seconds) }
        report.lastReportAge = age(state.lastReport)
        report.lastError = state.lastError
        report.lastErrorAge = age(state.lastErrorTime)
        report.answers = Dictionary(counts: state.answers)
        return report
    }

    private func location() -> StatusReport.Location {
        var report = StatusReport.Location()
        let place: Place?
        switch venue.location.source {
        case .enrolled: place = nil
        case .fixed(let fixed): (place, report.source) = (fixed, StatusWord(.fixed))
        case .receiver:
            place = venue.location.lastFix?.place
            report.source = StatusWord(.gpsd)
            report.age = age(venue.location.lastFix?.time)
            let receiver = others.receiver?()
            report.hasFix = receiver?.works
            report.lastError = receiver?.lastError
        }
        report.latitude = place?.latitude
        report.longitude = place?.longitude
        report.accuracy = place?.accuracy
        report.refused = venue.location.refused
        return report
    }
}
