import CommandSupport
public import Diagnosis
import ESPHome
import MonitorConfiguration
public import Settings
import StationStatus
import StatusSocket

/// Examines the receivers in a monitor's settings. If the monitor is running, this asks the monitor: a proxy serves
/// only one program.
public enum ReceiverProbe {
    /// The state of each receiver, in the order of the settings.
    public static func states(_ settings: ProgramSettings) async -> ReceiverStates {
        let receivers: ReceiverSettings
        do throws(CommandFailure) {
            receivers = try ReceiverSettings(settings)
        } catch {
            return .misconfigured(error.message)
        }
        guard !receivers.sources.isEmpty else { return .configured([]) }
        let radios = await radios(settings)
        return .configured(
            await withTaskGroup(of: (Int, ReceiverState).self) { group in
                for (index, source) in receivers.sources.enumerated() {
                    group.addTask { (index, await state(of: source, radios)) }
                }
                var states: [(Int, ReceiverState)] = []
                for await state in group { states.append(state) }
                return states.sorted { $0.0 < $1.0 }.map(\.1)
            })
    }

    /// - Parameter radios: those of the running monitor; nil if none is running.
    private static func state(
        of source: ReceiverSettings.Source, _ radios: [StatusReport.Radio]?
    ) async -> ReceiverState {
        let finding: ReceiverState.Finding
        if let radios {
            finding = radios.first { $0.adapter == source.name }.map { .reported($0) } ?? .unknownToMonitor
        } else if let address = source.address {
            finding = await address.probe().map { .unreachable("\($0)") } ?? .reachable
        } else {
            finding = .untested
        }
        return ReceiverState(name: source.name, source: source.place, finding: finding)
    }

    /// The radios of the running monitor; nil if none is running.
    private static func radios(_ settings: ProgramSettings) async -> [StatusReport.Radio]? {
        let client = try? StatusClient(socket: settings.value(MonitorSettings.statusSocket))
        return try? await client?.report().radios
    }
}
