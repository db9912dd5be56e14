import CommandSupport
import Foundation
import Logging
import MQTT
import Monitor
import MonitorConfiguration
import OperatingSystem
import Scanning
import ServiceLifecycle
import Settings
import StationStatus
import Syntax

/// The means in the settings for alerting this venue's staff to a missing bike.
struct VenueAlarms {
    /// The venue's program, and what wakes its bell.
    private struct Command {
        let path: String
        let arguments: [String]
        let timeout: Duration
        let signal = WakeUp()
    }

    /// The venue's broker, and what wakes its bell.
    private struct Broker {
        let settings: BrokerSettings
        let signal = WakeUp()
    }

    let advice: AlarmAdvice
    let status = AlarmStatus()
    private let command: Command?
    private let broker: Broker?

    init(_ settings: ProgramSettings) throws(CommandFailure) {
        advice = AlarmAdvice(contact: settings.value(MonitorSettings.alarmContact))
        let timeout = Duration.seconds(settings.value(MonitorSettings.alarmTimeout))
        command = try settings.value(MonitorSettings.alarmCommand).map { command throws(CommandFailure) in
            // The setting does not accept an empty list.
            let path = command.first ?? ""
            guard path.begins(with: "/") else {
                throw CommandFailure(.configuration, "alarm.command: ‘\(path)’ must be an absolute path")
            }
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw CommandFailure(.configuration, "alarm.command: \(path) is not a program that the monitor may run")
            }
            return Command(path: path, arguments: Array(command.dropFirst()), timeout: timeout)
        }
        broker = try BrokerSettings(settings).map { Broker(settings: $0) }
    }

    /// The duty that decides when alarms ring, and wakes the bells.
    func duty(_ list: CurrentList) -> AlarmDuty {
        AlarmDuty(list: list, bells: [command?.signal, broker?.signal].compactMap(\.self))
    }

    /// The services for alarms, and the link to the broker if there is one.
    func services(
        _ staff: StaffAnswers, list: CurrentList, radios: @escaping @Sendable () -> [any RadioScanner], logger: Logger
    ) -> (services: [any Service], link: VenueBroker?) {
        var services: [any Service] = []
        func ring(_ bell: any AlarmBell, _ signal: WakeUp) {
            services.append(
                AlarmDispatcher(bell: bell, outbox: staff.outbox, signal: signal, status: status, logger: logger))
        }
        if let command {
            let hook = CommandHook(
                command.path, command.arguments, timeout: command.timeout, advice: advice, status: status,
                logger: logger)
            ring(hook, command.signal)
        }
        guard let broker else { return (services, nil) }
        let source = MonitorVenueSource(staff: staff, list: list, radios: radios, logger: logger)
        let link = broker.settings.link(advice, source, logger) { broker.signal.wake() }
        ring(BrokerBell(link: link), broker.signal)
        return (services + [link], link)
    }
}

/// Alerts staff through the venue's broker.
private struct BrokerBell: AlarmBell {
    let name = "mqtt"
    let link: VenueBroker

    func ring(_ alarm: Alarm) async throws { try await link.publishAlarm(MissingBikeHere(alarm)) }
}
