public import BlueZ
import DBus
import Foundation
import HCI
public import Scanning
import Syntax

/// The choice of this machine's radios, and of how they are used.
public struct RadioChoice: Sendable {
    public var backend: RadioBackend
    /// The adapters' names, `hci0`, `hci1` …; empty means all that exist now or are added later.
    public var adapters: [String]
    /// The options of scanners that use bluetoothd.
    public var bluez: BlueZOptions
    private let kernel: KernelAdapters

    /// - Parameter files: the files in which the kernel lists its adapters; for tests.
    public init(
        _ backend: RadioBackend, adapters: [String] = [], bluez: BlueZOptions = BlueZOptions(),
        files: String = "/sys/class/bluetooth"
    ) {
        self.backend = backend
        self.adapters = adapters
        self.bluez = bluez
        kernel = KernelAdapters(folder: files)
    }

    /// A scanner for each adapter; at least one.
    ///
    /// - Throws: ``RadioChoiceError``, or an error of bluetoothd's bus.
    public func scanners() async throws -> [any RadioScanner] {
        switch backend {
        case .bluez: try await bluezScanners()
        case .hci, .monitorChannel: try kernelScanners()
        }
    }

    /// The radios to use, and the service that adds others: nil if the settings name the adapters.
    ///
    /// - Parameters:
    ///   - others: receivers that are not adapters of this machine; they come after its adapters.
    ///   - clock: the clock for polling the kernel's adapters; bluetoothd reports its own.
    /// - Throws: the errors of ``scanners()``.
    public func radios(
        and others: [any RadioScanner] = [], clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> (radios: RadioSet, arrivals: AdapterArrivals?) {
        guard adapters.isEmpty else { return (RadioSet(try await scanners() + others), nil) }
        switch backend {
        case .bluez:
            let bus = BlueZBus()
            let radios = RadioSet(try await bluezScanners(on: bus) + others, isOpen: true)
            let arrivals = AdapterArrivals(to: radios) {
                BlueZAdapters(bus: bus).changes().map { $0.map(\.name) }
            } radio: { [bluez] in
                BlueZScanner(adapter: $0, bus: bus, options: bluez)
            }
            return (radios, arrivals)
        case .hci, .monitorChannel:
            let radios = RadioSet(try kernelScanners() + others, isOpen: true)
            return (radios, AdapterArrivals(to: radios, from: { kernel.observed(clock) }, radio: kernelScanner))
        }
    }

    /// The scanners of bluetoothd's adapters. Named adapters need not exist yet: their scanners wait for them.
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

    /// The scanners of the kernel's adapters.
    private func kernelScanners() throws(RadioChoiceError) -> [any RadioScanner] {
        let names = adapters.isEmpty ? kernel.names() : adapters
        guard !names.isEmpty else { throw .noAdapter }
        return try names.map { name throws(RadioChoiceError) in
            guard let scanner = kernelScanner(name) else { throw .notAnAdapter(name) }
            return scanner
        }
    }

    /// The scanner of a kernel adapter; nil if the name is not an adapter's.
    private func kernelScanner(_ name: String) -> (any RadioScanner)? {
        guard let index = KernelAdapters.index(of: name) else { return nil }
        return switch backend {
        case .bluez: nil
        case .hci: HCIScanner(.device(index))
        case .monitorChannel: HCIScanner(.monitor(index))
        }
    }
}

/// The reason why no radio can be used.
public enum RadioChoiceError: Error, Hashable, Sendable {
    /// The machine has no Bluetooth adapter.
    case noAdapter
    /// This name is not that of an adapter.
    case notAnAdapter(String)
}

extension RadioChoiceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noAdapter: "there is no Bluetooth adapter: ‘findmybike doctor’ says why"
        case .notAnAdapter(let name): "‘\(name)’ is not the name of an adapter: write hci0, hci1 …"
        }
    }
}

/// How a radio is used.
public enum RadioBackend: String, CaseIterable, Hashable, Sendable {
    /// Through bluetoothd: needs no privileges, and shares the radio with other programs.
    case bluez
    /// Through a raw HCI socket: for dense places; needs CAP_NET_RAW.
    case hci
    /// Through the monitor channel: receives the results of other programs' scans, and changes nothing; needs
    /// CAP_NET_RAW.
    case monitorChannel = "monitor-channel"
}

/// The kernel's adapters, whether or not bluetoothd is running.
struct KernelAdapters: Sendable {
    let folder: String

    /// The names in numerical order, without connections, which are listed with them as `hci0:42`.
    func names() -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.filter { Self.index(of: $0) != nil }.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// The names, repeated every five seconds until the reader is cancelled: the kernel does not report changes of
    /// sysfs (inotify(7)).
    func observed(_ clock: any Clock<Duration>) -> AsyncStream<[String]> {
        AsyncStream {
            do { try await clock.sleep(for: .seconds(5)) } catch { return nil }
            return names()
        }
    }

    /// The number in an adapter's name, such as 0 in `hci0`; nil for any other name.
    static func index(of name: String) -> UInt16? {
        name.begins(with: "hci") ? UInt16(name.dropFirst(3)) : nil
    }
}
