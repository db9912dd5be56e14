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
    private let listing: ListStatus
    /// About when the program started.
    private let start: ScanInstant

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
        start = staff.venue.clock.now
    }

    public func report() async throws -> StatusReport {
        let summary = try await outbox.summary()
        // Once, so that the numbers of hearing and outbox are of one moment.
        let counts = venue.hearing.counts
        var report = StatusReport()
        report.version = version
        report.uptime = seconds(start.duration(to: venue.clock.now))
        report.clock = clockReport()
        report.radios = await radioReports()
        report.hearing = hearingReport(counts)
        report.list = listReport()
        report.outbox = outboxReport(summary, counts)
        report.reporting = reportingReport()
        report.location = locationReport()
        report.consent = consentReport(summary)
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

// The sections of the status.
extension MonitorStatusSource {
    /// The seconds of a duration as the status shows them: 0 if a clock was set back.
    func seconds(_ duration: Duration) -> Double { max(0, duration.seconds) }

    /// The seconds since a moment on the boot clock.
    private func age(_ instant: ScanInstant?) -> Double? {
        instant.map { seconds($0.duration(to: venue.clock.now)) }
    }

    private func clockReport() -> StatusReport.Clock {
        var report = StatusReport.Clock()
        report.isKnown = venue.clock.isCertain
        report.isSynchronised = venue.clock.isSynchronised
        report.time = "\(venue.clock.wallTime)"
        return report
    }

    /// Each radio, and those behind it, with what the watchdog has done.
    private func radioReports() async -> [StatusReport.Radio] {
        let watched = Dictionary((others.watchdog?.radios ?? []).map { ($0.adapter, $0) }) { first, _ in first }
        var reports: [StatusReport.Radio] = []
        for radio in others.radios() {
            for health in await radio.wholeHealth { reports.append(report(of: health, watched[health.adapter])) }
        }
        return reports
    }

    private func report(of health: RadioHealth, _ watched: WatchdogStatus.Radio?) -> StatusReport.Radio {
        var report = StatusReport.Radio(adapter: health.adapter, state: health.state)
        report.reports = health.reports
        report.lastReportAge = age(health.lastReport)
        report.dropped = health.dropped
        report.malformed = health.malformed
        report.lastError = health.lastError
        report.recoveries = Dictionary(counts: health.recoveries)
        report.isSwitchedOff = health.isSwitchedOff
        if let watched {
            report.failedRecoveries = Dictionary(counts: watched.failed)
            report.lastRecovery = watched.lastStep.map { StatusWord($0) }
            report.lastRecoveryAge = age(watched.lastStepTime)
            report.revivals = watched.revivals
        }
        return report
    }

    private func hearingReport(_ counts: HearingStatus.Counts) -> StatusReport.Hearing {
        var report = StatusReport.Hearing()
        report.adverts = counts.adverts
        report.beacons = counts.beacons
        report.candidates = counts.candidates
        report.advertsPerSecond = counts.advertsPerSecond
        report.displaced = counts.displaced
        return report
    }

    private func listReport() -> StatusReport.List {
        let (identities, state) = (list.identities, listing.state)
        var report = StatusReport.List()
        report.version = Int64(clamping: identities.version.number)
        report.count = identities.count
        report.age = list.age.map(seconds)
        report.failingFor = age(state.failingSince)
        report.lastError = state.lastError
        report.lastErrorAge = age(state.lastErrorTime)
        return report
    }

    private func outboxReport(_ summary: OutboxSummary, _ counts: HearingStatus.Counts) -> StatusReport.Outbox {
        var report = StatusReport.Outbox()
        report.path = outboxPath
        report.waiting = summary.waiting
        report.oldestAge = summary.oldestWaiting.map { seconds($0.duration(to: venue.clock.wallTime)) }
        report.open = summary.open
        report.awaitingPlace = summary.awaitingPlace
        report.awaitingClock = summary.awaitingClock
        report.setAside = summary.setAside
        report.tally = Dictionary(counts: summary.tally)
        // These never reached the outbox, so it does not count them.
        if counts.forgotten > 0 { report.tally[StatusWord(.lostToFailingDisk)] = counts.forgotten }
        report.damagedFiles = Outbox.filesSetAside(beside: outboxPath)
        report.isDiskFailing = counts.isDiskFailing
        return report
    }

    private func reportingReport() -> StatusReport.Reporting {
        let state = reporting.state
        var report = StatusReport.Reporting()
        report.pause = (venue.policy == .never ? .switchedOff : state.pause).map { StatusWord($0) }
        report.failingFor = age(state.failingSince)
        report.nextAttemptIn = state.nextAttempt.map { seconds(venue.clock.now.duration(to: $0)) }
        report.lastReportAge = age(state.lastReport)
        report.lastError = state.lastError
        report.lastErrorAge = age(state.lastErrorTime)
        report.answers = Dictionary(counts: state.answers)
        return report
    }

    private func locationReport() -> StatusReport.Location {
        var report = StatusReport.Location()
        let place: Place?
        switch venue.location.source {
        case .enrolled: place = nil
        case .fixed(let fixed):
            place = fixed
            report.source = StatusWord(.fixed)
        case .receiver:
            let fix = venue.location.lastFix
            place = fix?.place
            report.source = StatusWord(.gpsd)
            report.age = age(fix?.time)
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

    private func consentReport(_ summary: OutboxSummary) -> StatusReport.Consent {
        var report = StatusReport.Consent()
        report.policy = StatusWord(venue.policy)
        report.pending = summary.awaitingConsent
        return report
    }
}
