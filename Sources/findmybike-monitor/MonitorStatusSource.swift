import ArgumentParser
import Beacons
import Location
import MQTT
import MissingList
import Monitor
import MonitorStatus
import RegistryAPI
import Scanning

/// What this monitor tells of itself, gathered when somebody asks.
struct MonitorStatusSource: StatusSource {
    let venue: Venue
    let outbox: Outbox
    let outboxPath: String
    let reporting: ReportStatus
    let list: CurrentList
    let listing: ListStatus
    let signal: ReportSignal
    let receiver: GPSDReceiver?
    /// Those of now: radios come and go.
    let radios: @Sendable () -> [any RadioScanner]
    let watchdog: WatchdogStatus?
    let alarms: VenueAlarms
    let staff: StaffAnswers
    let broker: VenueBroker?
    private let start = BootClock.now()

    init(
        venue: Venue, outbox: Outbox, outboxPath: String, reporting: ReportStatus, list: CurrentList,
        listing: ListStatus, signal: ReportSignal, receiver: GPSDReceiver?,
        radios: @escaping @Sendable () -> [any RadioScanner],
        watchdog: WatchdogStatus?, alarms: VenueAlarms, staff: StaffAnswers, broker: VenueBroker?
    ) {
        self.venue = venue
        self.outbox = outbox
        self.outboxPath = outboxPath
        self.reporting = reporting
        self.list = list
        self.listing = listing
        self.signal = signal
        self.receiver = receiver
        self.radios = radios
        self.watchdog = watchdog
        self.alarms = alarms
        self.staff = staff
        self.broker = broker
    }

    func report() async throws -> StatusReport {
        let summary = try await outbox.summary()
        var report = StatusReport()
        report.version = MonitorCommand.configuration.version
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
        report.consent.policy = venue.policy.rawValue
        report.consent.pending = summary.awaitingConsent
        report.alarms = try await alarmReport()
        return report
    }

    func pending() async throws -> [PendingVisit] {
        try await outbox.awaitingConsent().map { kept in
            PendingVisit(
                id: "\(kept.visit.id)", beacon: "\(kept.visit.identity)", firstSeen: "\(kept.visit.firstSeen)",
                lastSeen: "\(kept.visit.lastSeen)", frames: kept.visit.count, isPresent: !kept.visit.ended,
                proximity: kept.visit.proximity.rawValue)
        }
    }

    func answer(_ visit: String, isAgreed: Bool) async throws -> Bool {
        guard let id = VisitID(visit), try await outbox.answer(id, isAgreed: isAgreed) else { return false }
        venue.events.send(isAgreed ? "visit-confirmed" : "visit-dismissed", ["visit": visit])
        if isAgreed { signal.send() }
        return true
    }

    func answer(_ visit: String, isSeen: Bool) async throws -> Bool {
        try await staff.take(visit, isSeen: isSeen)
    }

    func events() -> AsyncStream<StatusEvent> {
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

extension MonitorStatusSource {
    private func age(_ instant: ScanInstant?) -> Double? {
        instant.map { max(0, $0.duration(to: venue.clock.now).seconds) }
    }

    private func radioReports() async -> [StatusReport.Radio] {
        let helped = Dictionary((watchdog?.radios ?? []).map { ($0.adapter, $0) }) { first, _ in first }
        var reports: [StatusReport.Radio] = []
        for radio in radios() {
            let health = await radio.radioHealth
            var report = StatusReport.Radio(adapter: health.adapter, state: health.state.rawValue)
            report.reports = health.reports
            report.lastReportAge = age(health.lastReport)
            report.dropped = health.dropped
            report.malformed = health.malformed
            report.lastError = health.lastError
            report.recoveries = Self.named(health.recoveries)
            report.isSwitchedOff = health.isSwitchedOff
            if let help = helped[health.adapter] {
                report.failedRecoveries = Self.named(help.failed)
                report.lastRecovery = help.lastStep?.rawValue
                report.lastRecoveryAge = age(help.lastStepTime)
                report.revivals = help.revivals
            }
            reports.append(report)
        }
        return reports
    }

    private static func named(_ steps: [RecoveryStep: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: steps.map { ($0.key.rawValue, $0.value) })
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
        report.tally = Dictionary(uniqueKeysWithValues: summary.tally.map { ($0.key.rawValue, $0.value) })
        let forgotten = venue.hearing.counts.forgotten
        if forgotten > 0 { report.tally["lostToFailingDisk"] = forgotten }
        report.damagedFiles = Outbox.filesSetAside(beside: outboxPath)
        report.isDiskFailing = venue.hearing.counts.isDiskFailing
        return report
    }

    private func reports() -> StatusReport.Reporting {
        let state = reporting.state
        var report = StatusReport.Reporting()
        report.pause = venue.policy == .never ? "switchedOff" : state.pause?.rawValue
        report.failingFor = age(state.failingSince)
        report.nextAttemptIn = state.nextAttempt.map { max(0, venue.clock.now.duration(to: $0).seconds) }
        report.lastReportAge = age(state.lastReport)
        report.lastError = state.lastError
        report.lastErrorAge = age(state.lastErrorTime)
        report.answers = Dictionary(uniqueKeysWithValues: state.answers.map { ($0.key.rawValue, $0.value) })
        return report
    }

    private func location() -> StatusReport.Location {
        var report = StatusReport.Location()
        let place: Place?
        switch venue.location.source {
        case .enrolled: place = nil
        case .fixed(let fixed): (place, report.source) = (fixed, "fixed")
        case .receiver:
            place = venue.location.lastFix?.place
            report.source = "gpsd"
            report.age = age(venue.location.lastFix?.time)
            report.hasFix = receiver?.state.hasFix
            report.lastError = receiver?.state.lastError
        }
        report.latitude = place?.latitude
        report.longitude = place?.longitude
        report.accuracy = place?.accuracy
        report.refused = venue.location.refused
        return report
    }
}
