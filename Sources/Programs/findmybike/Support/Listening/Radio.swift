import Beacons
import BlueZ
import CommandSupport
import DBus
import Foundation
import HCI
import Radios
import Scanning

/// The radios of this machine.
enum Radio {
    /// Opens a radio. Fails immediately if there is none; if a radio fails later, the scanner waits for it.
    static func open(_ backend: RadioBackend, adapter: String?) async throws -> ListeningSource {
        if backend == .bluez { return try await bluez(adapter) }
        let radios = try await RadioChoice(backend, adapters: adapter.map { [$0] } ?? []).scanners()
        guard let radio = radios.first else { throw RadioChoiceError.noAdapter }
        return ListeningSource(scanner: radio, unixTime: unixTimeline()) {
            (radio as? HCIScanner)?.radioHealth.lastError.map { "\(radio.adapter): \($0)" }
        }
    }

    /// The adapter with this name, or the first.
    static func adapter(_ name: String?, of daemon: BlueZDaemon) async throws -> BlueZAdapter {
        let adapters = try await daemon.adapters()
        if let found = adapters.first(where: { name == nil || $0.name == name }) { return found }
        if let name { throw BlueZError.adapterAbsent(name) }
        throw CommandFailure(.unavailable, "there is no Bluetooth adapter: ‘findmybike doctor’ says why")
    }

    private static func bluez(_ name: String?) async throws -> ListeningSource {
        let daemon = BlueZDaemon(try await DBusConnection.open())
        let adapter = try await adapter(name, of: daemon)
        let scanner = BlueZScanner(adapter: adapter.name, bus: BlueZBus())
        return ListeningSource(
            scanner: scanner,
            unixTime: unixTimeline(),
            trouble: { scanner.health.lastError.map { "\(adapter.name): \($0)" } }
        )
    }

    /// Converts a time since boot to nanoseconds since the Unix epoch, by the current relation between the clocks.
    private static func unixTimeline() -> @Sendable (ScanInstant) -> Int64 {
        let offset = Int64(Date().timeIntervalSince1970 * 1e9) - BootClock().now.nanoseconds
        return { $0.nanoseconds &+ offset }
    }
}
