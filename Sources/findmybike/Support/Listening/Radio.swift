import Beacons
import BlueZ
import DBus
import Glibc

/// The radios of this machine.
enum Radio {
    /// Fails at once where there is nothing to listen with; what goes wrong later, the scanner waits for.
    static func open(_ backend: ScannerBackend, adapter: String?) async throws -> ListeningSource {
        switch backend {
        case .bluez: return try await bluez(adapter)
        case .hci, .monitorChannel:
            throw CommandFailure(.usage, "this build cannot listen by ‘\(backend.rawValue)’: leave out --backend")
        }
    }

    /// The adapter with this name, or the first.
    static func adapter(_ name: String?, of daemon: BlueZDaemon) async throws -> BlueZAdapter {
        let adapters = try await daemon.adapters()
        if let found = adapters.first(where: { name == nil || $0.name == name }) { return found }
        if let name { throw BlueZError.adapterAbsent(name) }
        throw CommandFailure(.unavailable, "there is no Bluetooth adapter: ‘findmybike doctor’ tells why")
    }

    private static func bluez(_ name: String?) async throws -> ListeningSource {
        let daemon = BlueZDaemon(try await DBusConnection.open())
        let adapter = try await adapter(name, of: daemon)
        let scanner = BlueZScanner(adapter: adapter.name, bus: BlueZBus())
        let offset = unixNow() - BootClock.now().nanoseconds
        return ListeningSource(
            scanner: scanner,
            unixTime: { $0.nanoseconds &+ offset },
            trouble: { scanner.health.lastError.map { "\(adapter.name): \($0)" } }
        )
    }

    /// Nanoseconds since the Unix epoch.
    private static func unixNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
