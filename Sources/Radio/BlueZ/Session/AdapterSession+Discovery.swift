import DBus
import Scanning

extension AdapterSession {
    /// The filter for every frame of every low-energy device. Without `DuplicateData` bluetoothd reports only changes,
    /// and signal strength only in steps of 8 dB; with it each signal contains one complete frame. Other clients'
    /// filters are merged with this one.
    private static let filter = DBusValue.properties([
        "Transport": .string("le"),
        "DuplicateData": .boolean(true),
        "RSSI": .int16(-127),
    ])

    /// Starts discovery of all frames.
    ///
    /// - Throws: ``BlueZError/poweredOff(_:)`` or ``BlueZError/wedged(_:)``, or the bus's ``DBusError``.
    func startDiscovery() async throws {
        do {
            try await requestDiscovery()
        } catch let error as DBusError where error.name == BlueZErrorName.inProgress {
            // This ends a session of ours that bluetoothd still has, or one that hangs.
            _ = try? await callAdapter("StopDiscovery")
            try await requestDiscoveryOnceMore()
        } catch let error as DBusError where error.name == BlueZErrorName.notReady {
            adapter?.isPowered = false
            publishState()
            throw BlueZError.poweredOff(name)
        }
        isScanning = true
        adapter?.isPowered = true
        // These signals were caused by our own calls.
        events.removeAll(where: \.isChange)
        publishState()
        record.report(.discoveryStarted)
    }

    private func requestDiscovery() async throws {
        try await callAdapter("SetDiscoveryFilter", Self.filter)
        try await callAdapter("StartDiscovery")
    }

    private func requestDiscoveryOnceMore() async throws {
        do {
            try await requestDiscovery()
        } catch let error as DBusError where error.name == BlueZErrorName.inProgress {
            throw BlueZError.wedged(name)
        }
    }

    /// Takes a recovery step and starts discovery again.
    func recover(by step: RecoveryStep) async throws {
        guard adapter != nil else { throw BlueZError.adapterAbsent(name) }
        guard !record.snapshot.isSwitchedOff else { throw switchedOff }
        switch step {
        case .restartScan:
            // Discovery that ended by itself cannot be stopped, and need not be.
            _ = try? await callAdapter("StopDiscovery")
        case .powerCycle:
            try await setPowered(false)
            try await setPowered(true)
        case .reset, .reopen:
            throw BlueZError.stepUnavailable(step.rawValue)
        }
        isScanning = false
        try await startDiscovery()
    }

    /// A call of a method of the adapter's object.
    func adapterCall(_ member: String, interface: String = BlueZNames.adapter, _ arguments: DBusValue...) -> DBusCall {
        DBusCall(
            destination: BlueZNames.bus, path: BlueZNames.path(ofAdapter: name), interface: interface, member: member,
            arguments: arguments
        )
    }

    private func callAdapter(_ member: String, _ arguments: DBusValue...) async throws {
        var call = adapterCall(member)
        call.arguments = arguments
        try await connection.call(call, timeout: options.callTimeout)
    }
}
