public import Beacons
public import DBus

/// Advertises an iBeacon on an adapter through bluetoothd (`org.bluez.LEAdvertisingManager1`).
public struct BlueZAdvertiser: Sendable {
    public let adapter: String
    private let connection: DBusConnection
    private let timeout: Duration

    /// - Parameter adapter: the adapter's name, such as `hci0`; it must exist and be on.
    public init(adapter: String, connection: DBusConnection, timeout: Duration = .seconds(20)) {
        self.adapter = adapter
        self.connection = connection
        self.timeout = timeout
    }

    /// Advertises for the lifetime of the returned handle.
    ///
    /// - Throws: ``BlueZError``, or ``DBusError`` with bluetoothd's reason: `NotPermitted` if all of the controller's
    ///   advertising sets are in use.
    public func advertise(_ beacon: IBeacon) async throws -> BlueZAdvertisement {
        let adapters = try await connection.adapters(timeout: timeout)
        guard let found = adapters[adapter] else { throw BlueZError.adapterAbsent(adapter) }
        guard found.isPowered else { throw BlueZError.poweredOff(adapter) }
        let owners = try await connection.owners(of: BlueZNames.bus)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let export = try await connection.export(
            at: BlueZAdvertisement.freshPath(), [Self.interface(beacon) { release.finish() }])
        try await connection.call(
            call("RegisterAdvertisement", .objectPath(export.path), .properties([:])), timeout: timeout)
        return BlueZAdvertisement(
            export: export, connection: connection, releases: releases, owners: owners,
            unregistration: call("UnregisterAdvertisement", .objectPath(export.path)), timeout: timeout)
    }

    private func call(_ member: String, _ arguments: DBusValue...) -> DBusCall {
        DBusCall(
            destination: BlueZNames.bus, path: BlueZNames.path(ofAdapter: adapter),
            interface: BlueZNames.advertisingManager, member: member, arguments: arguments
        )
    }

    /// `org.bluez.LEAdvertisement1`: a broadcast, which is not connectable, as is usual for a beacon.
    private static func interface(_ beacon: IBeacon, onRelease: @escaping @Sendable () -> Void) -> DBusInterface {
        let data = beacon.manufacturerData
        let company = UInt16(data[0]) | UInt16(data[1]) << 8
        let properties: [String: DBusValue] = [
            "Type": .string("broadcast"),
            "ManufacturerData": .dictionary(
                key: "q", value: "v", [DBusValue.Entry(.uint16(company), .variant(.bytes(Array(data.dropFirst(2)))))]),
        ]
        return DBusInterface(
            BlueZNames.advertisement,
            methods: [
                DBusMethod("Release") { _ in
                    onRelease()
                    return []
                }
            ],
            properties: { properties }
        )
    }
}

/// An active advertisement, until ``end()`` or for the lifetime of this handle.
public final class BlueZAdvertisement: Sendable {
    /// A path that no other advertisement has: the last one may still be ending when the next begins.
    static func freshPath() -> String {
        "/org/findmybike/advertisement/a" + String(UInt64.random(in: .min ... .max), radix: 16)
    }

    private let export: DBusExport
    private let connection: DBusConnection
    private let releases: AsyncStream<Void>
    private let owners: AsyncThrowingStream<String?, any Error>
    private let unregistration: DBusCall
    private let timeout: Duration

    init(
        export: DBusExport, connection: DBusConnection, releases: AsyncStream<Void>,
        owners: AsyncThrowingStream<String?, any Error>, unregistration: DBusCall, timeout: Duration
    ) {
        self.export = export
        self.connection = connection
        self.releases = releases
        self.owners = owners
        self.unregistration = unregistration
        self.timeout = timeout
    }

    deinit { Task { [connection, unregistration] in try? await connection.post(unregistration) } }

    /// Waits until the advertisement ends without ``end()``, and returns the reason: bluetoothd released it or ended,
    /// or the bus connection was lost. Nil if the task is cancelled.
    public func released() async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { [releases] in
                for await _ in releases {}
                return "bluetoothd stopped the advertisement"
            }
            group.addTask { [owners] in
                do {
                    for try await owner in owners where owner == nil { break }
                    return "bluetoothd exited"
                } catch {
                    return "\(error)"
                }
            }
            let reason = await group.next() ?? nil
            group.cancelAll()
            return Task.isCancelled ? nil : reason
        }
    }

    /// Ends the advertisement, and waits until bluetoothd has done so.
    public func end() async throws {
        try await connection.call(unregistration, timeout: timeout)
    }
}
