/// A status in Prometheus' text format, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""

    init(_ status: StatusReport) {
        add("uptime_seconds", "Since the program started.", [([], status.uptime)])
        add("clock_known", "Whether wall time is known.", [([], status.clock.isKnown ? 1 : 0)])
        addRadios(status.radios)
        addHearing(status.hearing)
        add("list_version", "Version of the missing list.", [([], Double(status.list.version))])
        add("list_bikes", "Identities on the missing list.", [([], Double(status.list.count))])
        add("list_age_seconds", "Since the registry last confirmed the missing list.", values(status.list.age))
        add(
            "registry_outage_seconds", "Since the registry is out of reach; 0 while all is well.",
            [([], status.outage ?? 0)])
        addOutbox(status.outbox)
        addReporting(status.reporting)
        add("location_age_seconds", "Of the last fix.", values(status.location.age))
        add("consent_pending", "Visits that wait for the venue’s consent.", [([], Double(status.consent.pending))])
        addAlarms(status.alarms)
    }

    private mutating func addRadios(_ radios: [StatusReport.Radio]) {
        func each(_ value: (StatusReport.Radio) -> Double?) -> [Sample] {
            radios.compactMap { radio in value(radio).map { ([(name: "adapter", value: radio.adapter)], $0) } }
        }
        add("radio_scanning", "Whether the adapter scans.", each { $0.state == "scanning" ? 1 : 0 })
        add("radio_last_report_age_seconds", "Since the adapter heard anything.", each(\.lastReportAge))
        add("radio_reports_total", "Adverts heard by the adapter.", each { Double($0.reports) }, .counter)
        add("radio_dropped_total", "Adverts that nobody read in time.", each { Double($0.dropped) }, .counter)
        let steps: [Sample] = radios.flatMap { radio in
            radio.recoveries.sorted { $0.key < $1.key }.map { step -> Sample in
                ([(name: "adapter", value: radio.adapter), (name: "step", value: step.key)], Double(step.value))
            }
        }
        add("radio_recoveries_total", "Steps taken to help the adapter.", steps, .counter)
    }

    private mutating func addHearing(_ hearing: StatusReport.Hearing) {
        add("adverts_total", "Adverts of any kind.", [([], Double(hearing.adverts))], .counter)
        add("beacons_total", "Frames of iBeacons.", [([], Double(hearing.beacons))], .counter)
        add("candidates_total", "Frames of beacons on the missing list.", [([], Double(hearing.candidates))], .counter)
        let displaced = Double(hearing.displaced ?? 0)
        add("visits_displaced_total", "Visits ended early, since too many were open.", [([], displaced)], .counter)
    }

    private mutating func addOutbox(_ outbox: StatusReport.Outbox) {
        add("outbox_waiting", "Visits that the registry has yet to answer for.", [([], Double(outbox.waiting))])
        add("outbox_oldest_age_seconds", "Of the oldest visit that waits.", values(outbox.oldestAge))
        add("outbox_open", "Visits that go on.", [([], Double(outbox.open))])
        add("outbox_set_aside", "Visits that the registry calls invalid.", [([], Double(outbox.setAside))])
        add("outbox_disk_failing", "Whether the disk cannot be written.", [([], outbox.isDiskFailing ? 1 : 0)])
        add("outbox_events_total", "Visits merged or lost, by reason.", counts(outbox.tally, "reason"), .counter)
    }

    private mutating func addReporting(_ reporting: StatusReport.Reporting) {
        let reason = (name: "reason", value: reporting.pause ?? "")
        add(
            "reporting_paused", "Whether nothing can be reported, and why.",
            [([reason], reporting.pause == nil ? 0 : 1)])
        add("last_report_age_seconds", "Since the registry last answered.", values(reporting.lastReportAge))
        add("reports_total", "Visits that were answered for.", counts(reporting.answers, "result"), .counter)
    }

    private mutating func addAlarms(_ alarms: StatusReport.Alarms) {
        let present = alarms.recent.count { $0.isPresent }
        add("alarms_present", "Missing bikes that are here, among the latest alarms.", [([], Double(present))])
        add("alarms_total", "Alarms for the venue’s staff.", [([], Double(alarms.made))], .counter)
        add("alarms_skipped_total", "Alarms left out for newer ones.", [([], Double(alarms.skipped))], .counter)
        add("alarm_commands_total", "Runs of alarm.command.", counts(alarms.commands, "end"), .counter)
        add("broker_connected", "Whether the MQTT broker is.", values(alarms.isBrokerConnected.map { $0 ? 1 : 0 }))
    }

    private typealias Sample = (labels: [(name: String, value: String)], value: Double)

    private enum Kind: String {
        case gauge, counter
    }

    private func values(_ value: Double?) -> [Sample] { value.map { [([], $0)] } ?? [] }

    private func counts(_ counts: [String: Int], _ label: String) -> [Sample] {
        counts.sorted { $0.key < $1.key }.map { ([(name: label, value: $0.key)], Double($0.value)) }
    }

    private mutating func add(_ name: String, _ help: String, _ samples: [Sample], _ kind: Kind = .gauge) {
        guard !samples.isEmpty else { return }
        let name = "findmybike_monitor_\(name)"
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escape($0.value))\"" }.joined(separator: ",")
            text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(sample.value))\n"
        }
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }

    private static func escape(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
