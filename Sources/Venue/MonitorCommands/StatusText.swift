import Foundation
import RegistryAPI
import Scanning
public import StationStatus
import Syntax
import Terminal

/// A monitor's status for people, one topic per line, with remedies for problems.
public struct StatusText {
    private(set) var topics: [StatusTopic] = []

    /// The lines for a terminal: each topic stands before its first line.
    public var lines: [String] {
        topics.flatMap { topic in
            zip([topic.name] + topic.lines.dropFirst().map { _ in "" }, topic.lines).map { name, text in
                name.padded(toColumns: 13) + " " + text
            }
        }
    }

    public init(_ status: StatusReport) {
        add("monitor", "version \(status.version), up \(Self.span(status.uptime))")
        addRegistry(status)
        addClock(status.clock)
        addRadios(status.radios)
        addHearing(status)
        addReporting(status.reporting, status.consent)
        addPartners(status.partners)
        addOutbox(status.outbox)
        addLocation(status.location)
        addAlarms(status.alarms)
    }

    /// Adds the most important fact: whether reports reach the registry.
    private mutating func addRegistry(_ status: StatusReport) {
        guard let outage = status.outage else {
            return add("registry", status.list.version == 0 ? "not contacted yet" : "answers")
        }
        let reason =
            status.reporting.pause.map { Self.reason($0.known) }
            ?? status.list.lastError ?? "no answer to the request for the missing list"
        add("registry", "NO SERVICE for \(Self.span(outage)): \(reason)", isProblem: true)
        guard status.outbox.waiting > 0 else { return }
        add("", "\(Self.wait(status.outbox.waiting)) on disk, to be reported; visits are kept for 30 days")
    }

    private mutating func addClock(_ clock: StatusReport.Clock) {
        switch (clock.isKnown, clock.isSynchronised) {
        case (true, true): add("clock", "synchronised, \(LocalTime.text(of: clock.time))")
        case (true, false): add("clock", "running since it was last synchronised, \(LocalTime.text(of: clock.time))")
        default:
            add(
                "clock", "NOT SYNCHRONISED: visits are reported with their age instead of a time; see ‘timedatectl’",
                isProblem: true)
        }
    }

    private mutating func addRadios(_ radios: [StatusReport.Radio]) {
        for radio in radios {
            let heard = radio.lastReportAge.map { "heard something \(Self.span($0)) ago" } ?? "has heard nothing yet"
            let hasFailed = radio.state.known == .failed
            add(
                "radio \(radio.adapter)", "\(radio.state), \(heard), \(counted(radio.reports, "advert"))",
                isProblem: hasFailed)
            let steps = radio.recoveries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)×" }
            if !steps.isEmpty {
                let last = radio.lastRecoveryAge.map { ", the last \(Self.span($0)) ago" } ?? ""
                add("", "recovery steps: \(steps.joined(separator: ", "))\(last); recovered \(radio.revivals)×")
            }
            if radio.dropped > 0 {
                let dropped = counted(radio.dropped, "advert was", "adverts were")
                add("", "\(dropped) dropped: this machine is too slow", isProblem: true)
            }
            if radio.isSwitchedOff == true {
                add("", "OFF: ‘bluetoothctl power on’ switches it on", isProblem: true)
            }
            if let error = radio.lastError { add("", "last error: \(error)", isProblem: hasFailed) }
        }
    }

    private mutating func addHearing(_ status: StatusReport) {
        let rate = String(format: "%.1f", status.hearing.advertsPerSecond)
        let frames = counted(status.hearing.candidates, "frame")
        add("hearing", "\(rate) adverts a second; \(frames) of beacons on the list")
        if let displaced = status.hearing.displaced, displaced > 0 {
            let visits = counted(displaced, "visit")
            add("", "\(visits) ended early: somebody may be replaying the beacons of missing bikes here")
        }
        let age = status.list.age.map { ", confirmed \(Self.span($0)) ago" } ?? ""
        add(
            "missing list",
            status.list.version == 0
                ? "NONE YET" : "version \(status.list.version), \(counted(status.list.count, "entry", "entries"))\(age)"
        )
        if let error = status.list.lastError {
            add("", "last error\(status.list.lastErrorAge.map { " \(Self.span($0)) ago" } ?? ""): \(error)")
        }
    }

    private mutating func addReporting(_ reporting: StatusReport.Reporting, _ consent: StatusReport.Consent) {
        let last = reporting.lastReportAge.map { "last report \(Self.span($0)) ago" } ?? "no report yet"
        if let pause = reporting.pause {
            let next = reporting.nextAttemptIn.map { ", next attempt in \(Self.span($0))" } ?? ""
            add("reporting", "PAUSED: \(Self.reason(pause.known))\(next); \(last)", isProblem: true)
        } else {
            let answers = reporting.answers.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            add("reporting", ([last] + answers).joined(separator: ", "))
        }
        if let error = reporting.lastError {
            add("", "last error\(reporting.lastErrorAge.map { " \(Self.span($0)) ago" } ?? ""): \(error)")
        }
        let pending = consent.pending > 0 ? "; \(Self.wait(consent.pending)): ‘findmybike venue pending’" : ""
        add("consent", "\(consent.policy)\(pending)")
    }

    /// Adds for whom the station listens, beside its own registry.
    private mutating func addPartners(_ partners: StatusReport.Partners?) {
        guard let partners, let names = partners.names, !names.isEmpty else { return }
        let list = names.joined(separator: ", ")
        add(
            "partners",
            partners.isAllowed
                ? "their missing bikes are reported to them: \(list)"
                : "nothing is passed on to \(list) (partners: false)")
    }

    private mutating func addOutbox(_ outbox: StatusReport.Outbox) {
        let oldest = outbox.oldestAge.map { ", the oldest of \(Self.span($0)) ago" } ?? ""
        add("outbox", "\(counted(outbox.waiting, "visit")) to report\(oldest); \(outbox.open) in progress")
        if outbox.isDiskFailing { add("", "THE DISK CANNOT BE WRITTEN: free it or replace it", isProblem: true) }
        if outbox.awaitingPlace > 0 { add("", "\(Self.wait(outbox.awaitingPlace)) for the station to know its place") }
        if outbox.awaitingClock > 0 {
            add("", "\(counted(outbox.awaitingClock, "visit")) to be reported again once the clock is set")
        }
        if outbox.setAside > 0 {
            add(
                "",
                "\(counted(outbox.setAside, "visit")) refused by the registry: ‘findmybike-monitor outbox’ shows why")
        }
        for (reason, count) in outbox.tally.sorted(by: { $0.key < $1.key }) where count > 0 {
            add("", "\(reason.known.map(Self.words) ?? reason.rawValue): \(count)")
        }
        for file in outbox.damagedFiles { add("", "damaged outbox set aside: \(file)") }
    }

    private mutating func addLocation(_ location: StatusReport.Location) {
        var text = location.source.rawValue
        if let latitude = location.latitude, let longitude = location.longitude {
            text += String(format: " %.5f, %.5f", latitude, longitude)
            text += location.accuracy.map { String(format: " ± %.0f m", $0) } ?? ""
        }
        if location.source.known == .gpsd, location.hasFix != true { text += ", NO FIX" }
        text += location.age.map { ", \(Self.span($0)) ago" } ?? ""
        add("location", text)
        if let error = location.lastError { add("", "last error: \(error)") }
        if location.refused > 0 { add("", "\(counted(location.refused, "visit")) not recorded for lack of a place") }
    }

    private mutating func addAlarms(_ alarms: StatusReport.Alarms) {
        if alarms.recent.isEmpty { add("alarms", "none recently") }
        for alarm in alarms.recent {
            let look =
                "\(alarm.colours.map(\.rawValue).joined(separator: "/")) \(alarm.make) \(alarm.model) (\(alarm.kind))"
            let receiver = alarm.receiver.map { ", receiver \($0)" } ?? ""
            let here = alarm.isPresent ? "is here (\(alarm.proximity)\(receiver))" : "has left"
            add("alarm", "\(look) \(here), first heard \(Self.span(alarm.age)) ago")
            add("", alarm.answer.map { "answered: \($0)" } ?? "‘findmybike venue seen \(alarm.visit)’, or ‘absent’")
        }
        if alarms.recent.contains(where: \.isPresent) { add("", alarms.advice) }
        if alarms.skipped > 0 { add("", "\(alarms.skipped) skipped because newer ones were waiting") }
        let ends = alarms.commands.sorted { $0.key < $1.key }.map { "\($0.value)× \($0.key)" }
        if !ends.isEmpty { add("alarm.command", ends.joined(separator: ", ")) }
        if let error = alarms.lastCommandError { add("", "last error: it \(error)") }
        guard let isConnected = alarms.isBrokerConnected else { return }
        add(
            "broker", isConnected ? "connected" : "NOT CONNECTED: alarms wait for it while the bike is here",
            isProblem: !isConnected)
        if let error = alarms.lastBrokerError { add("", "last error: \(error)") }
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - topic: empty for another line of the topic before.
    ///   - isProblem: whether something is wrong now.
    private mutating func add(_ topic: String, _ text: String, isProblem: Bool = false) {
        if !topic.isEmpty || topics.isEmpty { topics.append(StatusTopic(topic, [])) }
        let last = topics.count - 1
        if isProblem { topics[last].problems.insert(topics[last].lines.count) }
        topics[last].lines.append(text)
    }

    /// Why nothing is reported, and what to do.
    private static func reason(_ pause: ReportPause?) -> String {
        switch pause {
        case .tokenRefused:
            "the operator has revoked this station. Ask for a new code, then ‘findmybike-monitor enrol URL CODE "
                + "--replace’"
        case .notAllowed: "the registry does not let this station report: ask its operator"
        case .tooLarge: "the registry refuses the size of reports; smaller ones are tried"
        case .batchRefused: "the registry refuses the report as a whole; smaller ones are tried"
        case .slowDown: "the registry asks to wait"
        case .registryFailing: "the registry has an internal error; there is nothing to do here"
        case .tooSlow: "the connection is too slow for the report; smaller ones are tried"
        case .brokenOff: "the connection broke off before the registry answered"
        case .unreachable: "the registry cannot be reached: check the network"
        case .certificate: "the registry’s certificate cannot be trusted: check the clock and registry.url"
        case .outboxFailing: "the outbox cannot be read or written: check the disk"
        case .switchedOff: "report: never"
        case .notUnderstood, nil: "the registry’s answer cannot be understood: check registry.url"
        }
    }

    /// “1 visit waits”, “2 visits wait”.
    private static func wait(_ count: Int) -> String { counted(count, "visit waits", "visits wait") }

    /// What has become of visits.
    private static func words(_ tally: OutboxTally) -> String {
        switch tally {
        case .merged: "visits merged for lack of space"
        case .droppedForSize: "visits DROPPED for lack of space"
        case .droppedForAge: "visits DROPPED because they could not be reported in 30 days"
        case .dismissed: "visits dismissed by the venue"
        case .consentExpired: "visits that nobody agreed to within a day"
        case .damagedFiles: "damaged outboxes"
        case .salvaged: "visits read from damaged outboxes"
        case .lostToFailingDisk: "visits LOST to a failing disk"
        }
    }

    /// The two largest whole units: `3 d 4 h`.
    static func span(_ seconds: Double) -> String {
        let total = Int(min(max(0, seconds), 1e12))
        let units = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        var rest = total
        var parts: [String] = []
        for (length, name) in units {
            if rest >= length { parts.append("\(rest / length) \(name)") }
            rest %= length
        }
        return parts.isEmpty ? "0 s" : parts.prefix(2).joined(separator: " ")
    }
}
