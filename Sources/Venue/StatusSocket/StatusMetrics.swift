import Scanning
import StationStatus
import Syntax

/// A status as metrics.
struct StatusMetrics {
    private var metrics = PrometheusText()

    /// The metrics in Prometheus's text format.
    var text: String { metrics.text }

    init(_ status: StatusReport) {
        gauge("uptime_seconds", "Seconds since the program started.", status.uptime)
        gauge("clock_known", "Whether wall time is known.", status.clock.isKnown ? 1 : 0)
        addRadios(status.radios)
        addHearing(status.hearing)
        gauge("list_version", "Version of the missing list.", Double(status.list.version))
        gauge("list_entries", "Entries of the missing list; a rotating beacon has many.", Double(status.list.count))
        gauge("list_age_seconds", "Seconds since the registry last confirmed the missing list.", status.list.age)
        gauge(
            "registry_outage_seconds", "Seconds since the registry became unreachable, or 0.", status.outage ?? 0)
        addOutbox(status.outbox)
        addReporting(status.reporting)
        gauge("location_age_seconds", "Age of the last fix.", status.location.age)
        gauge("consent_pending", "Visits that are waiting for the venue’s consent.", Double(status.consent.pending))
        addAlarms(status.alarms)
    }

    private mutating func addRadios(_ radios: [StatusReport.Radio]) {
        /// A sample for each radio that has the value.
        func each(_ value: (StatusReport.Radio) -> Double?) -> [PrometheusText.Sample] {
            radios.compactMap { radio in value(radio).map { .init($0, labels: [("adapter", radio.adapter)]) } }
        }
        gauge("radio_scanning", "Whether the adapter is scanning.", each { $0.state.known == .scanning ? 1 : 0 })
        gauge("radio_last_report_age_seconds", "Seconds since the adapter last heard anything.", each(\.lastReportAge))
        counter("radio_reports_total", "Adverts heard by the adapter.", each { Double($0.reports) })
        counter("radio_dropped_total", "Adverts dropped because nobody read them.", each { Double($0.dropped) })
        let steps = radios.flatMap { radio in
            radio.recoveries.sorted { $0.key < $1.key }.map { step in
                PrometheusText.Sample(
                    Double(step.value), labels: [("adapter", radio.adapter), ("step", step.key.rawValue)])
            }
        }
        counter("radio_recoveries_total", "Recovery steps taken on the adapter.", steps)
    }

    private mutating func addHearing(_ hearing: StatusReport.Hearing) {
        counter("adverts_total", "Adverts of any kind.", hearing.adverts)
        counter("beacons_total", "Frames of iBeacons.", hearing.beacons)
        counter("candidates_total", "Frames of beacons on the missing list.", hearing.candidates)
        counter("visits_displaced_total", "Visits ended early because too many were open.", hearing.displaced ?? 0)
    }

    private mutating func addOutbox(_ outbox: StatusReport.Outbox) {
        gauge("outbox_waiting", "Visits that the registry has yet to answer for.", Double(outbox.waiting))
        gauge("outbox_oldest_age_seconds", "Age of the oldest waiting visit.", outbox.oldestAge)
        gauge("outbox_open", "Visits in progress.", Double(outbox.open))
        gauge("outbox_set_aside", "Visits that the registry calls invalid.", Double(outbox.setAside))
        gauge("outbox_disk_failing", "Whether the disk cannot be written to.", outbox.isDiskFailing ? 1 : 0)
        counter("outbox_events_total", "Visits merged or lost, by reason.", counts(outbox.tally, "reason"))
    }

    private mutating func addReporting(_ reporting: StatusReport.Reporting) {
        let paused = PrometheusText.Sample(
            reporting.pause == nil ? 0 : 1, labels: [("reason", reporting.pause?.rawValue ?? "")])
        gauge("reporting_paused", "Whether nothing can be reported, and why.", [paused])
        gauge("last_report_age_seconds", "Seconds since the registry last answered.", reporting.lastReportAge)
        counter("reports_total", "Visits that the registry has answered for.", counts(reporting.answers, "result"))
    }

    private mutating func addAlarms(_ alarms: StatusReport.Alarms) {
        let present = alarms.recent.count { $0.isPresent }
        gauge("alarms_present", "Missing bikes that are here, among the latest alarms.", Double(present))
        counter("alarms_total", "Alarms for the venue’s staff.", alarms.made)
        counter("alarms_skipped_total", "Alarms skipped because newer ones were waiting.", alarms.skipped)
        counter("alarm_commands_total", "Runs of alarm.command.", counts(alarms.commands, "end"))
        gauge("broker_connected", "Whether the MQTT broker is connected.", alarms.isBrokerConnected.map { $0 ? 1 : 0 })
    }

    /// A sample for each key, in the order of the keys.
    private func counts(_ counts: [some Comparable: Int], _ label: String) -> [PrometheusText.Sample] {
        counts.sorted { $0.key < $1.key }.map { .init(Double($0.value), labels: [(label, "\($0.key)")]) }
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: Double?) {
        gauge(name, help, value.map { [.init($0)] } ?? [])
    }

    private mutating func gauge(_ name: String, _ help: String, _ samples: [PrometheusText.Sample]) {
        metrics.add(.gauge, "findmybike_monitor_\(name)", help, samples)
    }

    private mutating func counter(_ name: String, _ help: String, _ value: Int) {
        counter(name, help, [.init(Double(value))])
    }

    private mutating func counter(_ name: String, _ help: String, _ samples: [PrometheusText.Sample]) {
        metrics.add(.counter, "findmybike_monitor_\(name)", help, samples)
    }
}
