import BlueZ
import Foundation
import MonitorConfiguration
import Radios
import Scanning
import Settings

/// The radios that the settings name.
enum ConfiguredRadios {
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
            return Playback(scanner: MergedScanner(radios), radios: radios, arrivals: arrivals)
        } catch {
            throw MonitorFailure(69, "\(error); ‘findmybike doctor’ tells more")
        }
    }
}
