import Beacons
import RegistryAPI
import StationStatus

extension MonitorStatusSource {
    /// The alarms in the status: the latest ones, the counts, and the broker.
    func alarmReport() async throws -> StatusReport.Alarms {
        var report = StatusReport.Alarms()
        report.recent = try await outbox.alarms().map { alarm in
            VenueAlarm(
                visit: alarm.id, lookFor: alarm.lookFor, proximity: alarm.kept.visit.proximity,
                age: age(of: alarm.kept), isPresent: alarm.isPresent, answer: alarm.answer,
                receiver: alarm.kept.visit.receiver?.name)
        }
        report.advice = advice.text
        let state = alarmStatus.state
        report.made = state.made
        report.skipped = state.skipped
        report.commands = state.commands
        report.lastCommandError = state.lastCommandError
        let broker = others.broker?()
        report.isBrokerConnected = broker?.works
        report.lastBrokerError = broker?.lastError
        return report
    }

    /// Seconds since a visit began.
    private func age(of kept: StationVisit) -> Double {
        guard let span = kept.span, span.boot == venue.clock.boot else {
            return seconds(kept.visit.firstSeen.duration(to: venue.clock.wallTime))
        }
        return seconds(span.first.duration(to: venue.clock.now))
    }
}
