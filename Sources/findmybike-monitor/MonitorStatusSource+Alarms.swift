import Beacons
import MQTT
import Monitor
import MonitorStatus
import RegistryAPI

extension MonitorStatusSource {
    func alarmReport() async throws -> StatusReport.Alarms {
        var report = StatusReport.Alarms()
        report.recent = try await outbox.alarms().map { alarm in
            let visit = alarm.kept.visit
            return VenueAlarm(
                visit: "\(alarm.id)", kind: alarm.lookFor.kind.rawValue, make: alarm.lookFor.make,
                model: alarm.lookFor.model, colours: alarm.lookFor.colours.map(\.rawValue),
                proximity: visit.proximity.rawValue, age: age(of: alarm.kept), isPresent: alarm.isPresent,
                answer: alarm.answer?.rawValue)
        }
        report.advice = alarms.advice.text
        let state = alarms.status.state
        report.made = state.made
        report.skipped = state.skipped
        report.commands = state.commands
        report.lastCommandError = state.lastCommandError
        report.isBrokerConnected = broker?.state.isConnected
        report.lastBrokerError = broker?.state.lastError
        return report
    }

    /// Seconds since a visit began.
    private func age(of kept: StationVisit) -> Double {
        guard let span = kept.span, span.boot == venue.clock.boot else {
            return max(0, kept.visit.firstSeen.duration(to: venue.clock.wallTime).seconds)
        }
        return max(0, span.first.duration(to: venue.clock.now).seconds)
    }
}
