import Beacons
import BlueZ
import DBus
import Foundation
import Glibc
import HCI
import Scanning

/// The radios of this machine.
enum Radio {
    /// Fails at once where there is nothing to listen with; what goes wrong later, the scanner waits for.
    static func open(_ backend: ScannerBackend, adapter: String?) async throws -> ListeningSource {
        switch backend {
        case .bluez: return try await bluez(adapter)
        case .hci: return hci(.device(try index(adapter)))
        case .monitorChannel: return hci(.monitor(try index(adapter)))
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
        let offset = unixNow() - BlueZ.BootClock.now().nanoseconds
        return ListeningSource(
            scanner: scanner,
            unixTime: { $0.nanoseconds &+ offset },
            trouble: { scanner.health.lastError.map { "\(adapter.name): \($0)" } }
        )
    }

    private static func hci(_ access: HCIAccess) -> ListeningSource {
        let scanner = HCIScanner(access)
        let offset = unixNow() - Scanning.BootClock().now.nanoseconds
        return ListeningSource(
            scanner: scanner,
            unixTime: { $0.nanoseconds &+ offset },
            trouble: { scanner.health.lastError.map { "\(scanner.adapter): \($0)" } }
        )
    }

    /// The number of the adapter with this name, or of the kernel’s first; bluetoothd is not asked.
    private static func index(_ name: String?) throws -> UInt16 {
        let known = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/bluetooth")) ?? []
        // Connections are listed too: hci0:64.
        let indices = known.compactMap { $0.hasPrefix("hci") ? UInt16($0.dropFirst(3)) : nil }
        guard let name else {
            if let first = indices.min() { return first }
            throw CommandFailure(.unavailable, "there is no Bluetooth adapter: ‘findmybike doctor’ tells why")
        }
        guard let index = indices.first(where: { "hci\($0)" == name }) else { throw BlueZError.adapterAbsent(name) }
        return index
    }

    /// Nanoseconds since the Unix epoch.
    private static func unixNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
