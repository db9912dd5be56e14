import DBus

// bluez, doc/org.bluez.AdvertisementMonitorManager.rst and doc/org.bluez.AdvertisementMonitor.rst
extension AdapterSession {
    /// Registers a monitor for iBeacons if bluetoothd offers it. If anything fails, discovery continues without it.
    func registerMonitor() async {
        guard options.usesMonitor, !wasMonitorTried, adapter?.offersMonitor == true else { return }
        wasMonitorTried = true
        let root = "/findmybike/\(name)"
        do {
            let manager = try await connection.export(at: root, managesObjects: true)
            try await connection.call(
                adapterCall("RegisterMonitor", interface: BlueZNames.monitorManager, .objectPath(root)),
                timeout: options.callTimeout
            )
            let object = try await connection.export(at: "\(root)/ibeacons", [monitorInterface()])
            monitor = MonitorRegistration(root: root, exports: [manager, object])
            record.update { $0.monitor = .waiting }
            post(.monitorOverdue, after: options.monitorTimeout)
        } catch {
            record.report(.monitorUnavailable("\(error)"))
        }
    }

    /// Stops using the monitor, if there is one.
    ///
    /// - Parameter isRegistered: whether to unregister it from bluetoothd.
    func dropMonitor(isRegistered: Bool) {
        guard let root = monitor?.root else { return }
        monitor = nil
        guard isRegistered else { return }
        let call = adapterCall("UnregisterMonitor", interface: BlueZNames.monitorManager, .objectPath(root))
        Task { [connection] in try? await connection.post(call) }
    }

    /// Handles an event of the monitor: it was activated, released, or not activated in time.
    func followMonitor(_ event: SessionEvent) {
        guard monitor != nil else { return }
        switch event {
        case .monitorActivated:
            record.report(.monitorActivated)
        case .monitorReleased:
            dropMonitor(isRegistered: true)
            record.report(.monitorUnavailable("bluetoothd released it"))
        case .monitorOverdue where record.snapshot.monitor == .waiting:
            dropMonitor(isRegistered: true)
            record.report(.monitorUnavailable("bluetoothd did not activate it within \(options.monitorTimeout)"))
        default:
            return
        }
    }

    private func monitorInterface() -> DBusInterface {
        let events = events
        // At offset 0 of manufacturer-specific data (0xFF): Apple, little-endian, then type and length of an iBeacon.
        let pattern = DBusValue.structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0x00, 0x02, 0x15])])
        let properties: [String: DBusValue] = [
            "Type": .string("or_patterns"),
            "Patterns": .array(of: "(yyay)", [pattern]),
        ]
        return DBusInterface(
            BlueZNames.monitor,
            methods: [
                DBusMethod("Activate") { _ in
                    events.post(.monitorActivated)
                    return []
                },
                DBusMethod("Release") { _ in
                    events.post(.monitorReleased)
                    return []
                },
                // The frames themselves arrive as signals of the device.
                DBusMethod("DeviceFound", takes: "o") { _ in [] },
                DBusMethod("DeviceLost", takes: "o") { _ in [] },
            ],
            properties: { properties }
        )
    }
}

/// The objects of an advertisement monitor, exported for the lifetime of this value.
struct MonitorRegistration {
    /// The path of the object manager, which bluetoothd knows the monitor by.
    let root: String
    let exports: [DBusExport]
}
