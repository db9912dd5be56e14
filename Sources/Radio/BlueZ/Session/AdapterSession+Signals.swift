import Beacons
import DBus

// Signal handlers of the session. All run on the connection's queue, in place.
extension AdapterSession {
    /// Posts an event for each signal about bluetoothd and the adapter, and buffers the frames of its devices, for the
    /// lifetime of the returned handles.
    func subscribe() async throws -> [DBusSubscription] {
        let path = BlueZNames.path(ofAdapter: name)
        let changes = DBusMatch(
            sender: BlueZNames.bus, pathNamespace: path, interface: BlueZNames.properties, member: "PropertiesChanged"
        )
        let added = DBusMatch(sender: BlueZNames.bus, interface: BlueZNames.objectManager, member: "InterfacesAdded")
        let removed = DBusMatch(
            sender: BlueZNames.bus, interface: BlueZNames.objectManager, member: "InterfacesRemoved"
        )
        let (events, frames) = (events, frames)
        return [
            try await connection.observe(.owner(of: BlueZNames.bus), onEnd: { events.post(.lost($0)) }) { message in
                guard let owner = message.newOwner else { return }
                events.post(.daemon(isRunning: !owner.isEmpty))
            },
            try await connection.observe(removed) { message in
                if message.tells(ofAdapter: path) { events.post(.adapterRemoved) }
            },
            try await connection.observe(added) { message in
                if message.tells(ofAdapter: path) { events.post(.adapterAdded) }
                message.addedDevice(below: path, frames.append)
            },
            try await connection.observe(changes) { message in
                message.changedObject(device: frames.append) { isPowered in
                    events.post(.changed(isPowered: isPowered))
                }
            },
        ]
    }
}

extension DBusMessage {
    /// The third argument of `NameOwnerChanged`; empty if the name has no new owner.
    var newOwner: String? {
        var reader = arguments
        reader.next()
        reader.next()
        return reader.text
    }

    /// Whether `InterfacesAdded` or `InterfacesRemoved` is about the adapter at this path.
    fileprivate func tells(ofAdapter path: String) -> Bool {
        var reader = arguments
        guard reader.text(is: path), reader.next() else { return false }
        var isAdapter = false
        reader.forEachEntry { interface, _ in isAdapter = isAdapter || interface.isText("org.bluez.Adapter1") }
        reader.forEachElement { interface in isAdapter = isAdapter || interface.isText("org.bluez.Adapter1") }
        return isAdapter
    }

    /// `InterfacesAdded(o, a{sa{sv}})`: the only signal that contains a new device's first frame.
    fileprivate func addedDevice(below path: String, _ body: (BluetoothAddress, DBusMessageReader) -> Void) {
        var reader = arguments
        let address = reader.withText { text in
            // “/dev_” and 17 characters of the address.
            text.count == path.utf8.count + 22 && text.starts(with: path.utf8)
                ? BluetoothAddress(devicePath: text) : nil
        }
        guard let address = address ?? nil, reader.next() else { return }
        reader.forEachEntry { interface, properties in
            if interface.isText("org.bluez.Device1") { body(address, properties) }
        }
    }

    /// `PropertiesChanged(s, a{sv}, as)` of a device, or of the adapter itself.
    fileprivate func changedObject(
        device: (BluetoothAddress, DBusMessageReader) -> Void, adapter: (Bool?) -> Void
    ) {
        var reader = arguments
        if reader.isText("org.bluez.Device1") {
            guard let address = withPath(BluetoothAddress.init(devicePath:)), reader.next() else { return }
            device(address, reader)
        } else if reader.isText("org.bluez.Adapter1") {
            reader.next()
            var isPowered: Bool?
            var isWanted = false
            reader.forEachEntry { key, value in
                if key.isText("Powered") { isPowered = value.boolean }
                isWanted = isWanted || isPowered != nil || key.isText("Discovering")
            }
            if isWanted { adapter(isPowered) }
        }
    }
}

extension DBusMessageReader {
    fileprivate func text(is text: String) -> Bool {
        withText { $0.elementsEqual(text.utf8) } ?? false
    }
}
