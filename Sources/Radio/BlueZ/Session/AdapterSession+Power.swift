import DBus
import Scanning

// Whether the adapter is on.
extension AdapterSession {
    func powerOn() async throws {
        guard adapter?.isPowered == false else { return }
        guard !record.snapshot.isSwitchedOff else { throw switchedOff }
        guard options.powersAdapter, !wasPowered else { throw BlueZError.poweredOff(name) }
        try await setPowered(true)
        wasPowered = true
        record.tell(.poweredOn)
    }

    var switchedOff: BlueZError { .switchedOff(name, retry: options.powersAdapter ? offWait : nil) }

    /// How long the adapter stays off.
    private var offWait: Duration {
        min(options.offWaits.lowerBound * (1 << min(max(timesOff, 1) - 1, 16)), options.offWaits.upperBound)
    }

    func schedulePower() {
        guard options.powersAdapter, scheduledPower != timesOff else { return }
        scheduledPower = timesOff
        post(.powerAgain(timesOff), after: offWait)
        post(.stayedOn(timesOff), after: offWait + options.offWaits.upperBound)
    }

    /// Powers on an adapter that has been off for a while.
    func powerAgain() async {
        do {
            try await setPowered(true)
        } catch {
            guard adapter != nil else { return }
            timesOff += 1
            record.update { $0.lastError = "\(error)" }
            return schedulePower()
        }
        record.tell(.poweredOn)
        await proceed()
    }

    func setPowered(_ isOn: Bool) async throws {
        try await connection.call(
            DBusCall(
                destination: BlueZNames.bus, path: BlueZNames.path(ofAdapter: name),
                interface: BlueZNames.properties, member: "Set",
                arguments: [.string(BlueZNames.adapter), .string("Powered"), .variant(.boolean(isOn))]
            ), timeout: options.callTimeout)
        adapter?.isPowered = isOn
        if !isOn { isScanning = false }
        show()
    }
}
