public import BlueZ
import DBus
import HCI
public import Scanning

/// Which radios of this machine to listen to, and how.
public struct RadioChoice: Sendable {
    public var backend: RadioBackend
    /// `hci0`, `hci1` …; none means all that are there when listening begins, and with bluetoothd also those that come
    /// later.
    public var adapters: [String]
    public var bluez: BlueZOptions
    private let files: String

    /// - Parameter files: where the kernel shows its adapters; for tests.
    public init(
        _ backend: RadioBackend, adapters: [String] = [], bluez: BlueZOptions = BlueZOptions(),
        files: String = "/sys/class/bluetooth"
    ) {
        self.backend = backend
        self.adapters = adapters
        self.bluez = bluez
        self.files = files
    }

    /// A scanner for each adapter; at least one.
    ///
    /// - Throws: ``RadioChoiceError``, or what bluetoothd's bus fails with.
    public func scanners() async throws -> [any RadioScanner] {
        switch backend {
        case .bluez: try await bluezScanners()
        case .hci: try indices().map { HCIScanner(.device($0)) }
        case .monitorChannel: try indices().map { HCIScanner(.monitor($0)) }
        }
    }

    /// The radios to listen to, and what lets others join them: nil where the settings name the adapters, or where they
    /// are not bluetoothd's.
    ///
    /// - Throws: as ``scanners()``.
    public func radios() async throws -> (radios: RadioSet, arrivals: AdapterArrivals?) {
        guard backend == .bluez, adapters.isEmpty else { return (RadioSet(try await scanners()), nil) }
        let bus = BlueZBus()
        let radios = RadioSet(try await bluezScanners(on: bus), isOpen: true)
        return (radios, AdapterArrivals(to: radios, bus: bus, options: bluez))
    }

    /// Named adapters need not be there yet: their scanners wait for them.
    private func bluezScanners(on bus: BlueZBus = BlueZBus()) async throws -> [any RadioScanner] {
        var names = adapters
        if names.isEmpty {
            let connection = try await DBusConnection.open()
            names = try await BlueZDaemon(connection).adapters().map(\.name)
            await connection.close()
        }
        guard !names.isEmpty else { throw RadioChoiceError.noAdapter }
        return names.map { BlueZScanner(adapter: $0, bus: bus, options: bluez) }
    }

    private func indices() throws(RadioChoiceError) -> [UInt16] {
        let names = adapters.isEmpty ? KernelAdapters.names(in: files) : adapters
        guard !names.isEmpty else { throw .noAdapter }
        return try names.map { name throws(RadioChoiceError) in
            guard name.hasPrefix("hci"), let index = UInt16(name.dropFirst(3)) else { throw .notAnAdapter(name) }
            return index
        }
    }
}

/// Why no radio can be listened to.
public enum RadioChoiceError: Error, Hashable, Sendable {
    case noAdapter
    case notAnAdapter(String)
}

extension RadioChoiceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noAdapter: "there is no Bluetooth adapter: ‘findmybike doctor’ tells why"
        case .notAnAdapter(let name): "‘\(name)’ is not the name of an adapter: write hci0, hci1 …"
        }
    }
}
