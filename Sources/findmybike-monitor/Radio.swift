import BlueZ
import Foundation
import Monitor
import MonitorConfiguration
import Radios
import RegistryAPI
import Scanning
import Settings

/// The radios that the settings name.
enum Radio {
    /// Fails at once where there is nothing to listen with; what goes wrong later, the scanners and the watchdog mend.
    static func listen(by settings: ProgramSettings) async throws(MonitorFailure) -> Playback {
        let backend = settings.value(MonitorSettings.radioBackend).flatMap(RadioBackend.init(rawValue:)) ?? .bluez
        let adapters = (settings.value(MonitorSettings.radioAdapters) ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        var options = BlueZOptions()
        options.powersAdapter = settings.value(MonitorSettings.radioPower) ?? true
        do {
            let (radios, arrivals) = try await RadioChoice(backend, adapters: adapters, bluez: options).radios()
            return Playback(scanner: MergedScanner(radios), timeline: timeline(), radios: radios, arrivals: arrivals)
        } catch {
            throw MonitorFailure(69, "\(error)")
        }
    }

    /// The wall clock beside the time since boot, as they stand to each other now.
    private static func timeline() -> WallTimeline {
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        return WallTimeline(BootClock().now, at: now)
    }
}
