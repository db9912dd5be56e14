import Beacons
import DBus

/// An adapter as provided by bluetoothd.
public struct BlueZAdapter: Hashable, Sendable {
    /// The name, such as `hci0`.
    public let name: String
    /// The adapter's address in printed form.
    public var address = ""
    public var isPowered = false
    /// Whether the discovery of any client is running.
    public var isDiscovering = false
    /// Whether the advertisement monitor is available.
    public var offersMonitor = false

    public init(name: String) {
        self.name = name
    }

    /// Reads an `a{sv}` of `org.bluez.Adapter1`; missing properties stay unchanged.
    mutating func read(_ properties: DBusMessageReader) {
        properties.forEachEntry { key, value in
            if key.isText("Powered") {
                isPowered = value.boolean ?? isPowered
            } else if key.isText("Discovering") {
                isDiscovering = value.boolean ?? isDiscovering
            } else if key.isText("Address") {
                address = value.text ?? address
            }
        }
    }
}

extension DBusConnection {
    /// The adapters that bluetoothd provides, by name; none if it is not running.
    ///
    /// The reply contains every device that bluetoothd remembers, perhaps thousands: it is read in place, and
    /// `onDevice` is called with the properties of each.
    func adapters(
        timeout: Duration, onDevice: @escaping @Sendable (BluetoothAddress, DBusMessageReader) -> Void = { _, _ in }
    ) async throws -> [String: BlueZAdapter] {
        let call = DBusCall(
            destination: BlueZNames.bus, path: "/", interface: BlueZNames.objectManager, member: "GetManagedObjects"
        )
        do {
            return try await self.call(call, timeout: timeout) { reader in
                var adapters: [String: BlueZAdapter] = [:]
                reader.forEachEntry { path, interfaces in
                    readObject(path, interfaces, into: &adapters, onDevice)
                }
                return adapters
            }
        } catch let error as DBusError where error.isDaemonAbsent {
            return [:]
        }
    }

    /// The adapter's current properties.
    func adapter(_ name: String, timeout: Duration) async throws -> BlueZAdapter {
        let call = DBusCall(
            destination: BlueZNames.bus, path: BlueZNames.path(ofAdapter: name), interface: BlueZNames.properties,
            member: "GetAll", arguments: [.string(BlueZNames.adapter)]
        )
        return try await self.call(call, timeout: timeout) { reader in
            var adapter = BlueZAdapter(name: name)
            adapter.read(reader)
            return adapter
        }
    }
}

private func readObject(
    _ path: DBusMessageReader, _ interfaces: DBusMessageReader, into adapters: inout [String: BlueZAdapter],
    _ onDevice: (BluetoothAddress, DBusMessageReader) -> Void
) {
    if let address = path.withText({ BluetoothAddress(devicePath: $0) }) ?? nil {
        interfaces.forEachEntry { interface, properties in
            if interface.isText("org.bluez.Device1") { onDevice(address, properties) }
        }
    } else if let name = path.text.flatMap(BlueZNames.adapterName) {
        var adapter = BlueZAdapter(name: name)
        var isAdapter = false
        interfaces.forEachEntry { interface, properties in
            if interface.isText("org.bluez.Adapter1") {
                adapter.read(properties)
                isAdapter = true
            } else if interface.isText("org.bluez.AdvertisementMonitorManager1") {
                adapter.offersMonitor = true
            }
        }
        if isAdapter { adapters[name] = adapter }
    }
}

extension DBusError {
    /// Whether the reply means that bluetoothd is not running, or ended during the call.
    var isDaemonAbsent: Bool {
        switch name {
        case DBusErrorName.serviceUnknown, DBusErrorName.nameHasNoOwner, "org.freedesktop.DBus.Error.NoReply",
            "org.freedesktop.DBus.Error.Spawn.ServiceNotFound", "org.freedesktop.systemd1.NoSuchUnit":
            true
        default: false
        }
    }

    /// Whether the reply means that the object was removed.
    var isObjectAbsent: Bool {
        name == DBusErrorName.unknownObject || name == DBusErrorName.unknownMethod
            || name == DBusErrorName.unknownInterface
    }
}
