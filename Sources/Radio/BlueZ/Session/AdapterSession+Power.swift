import DBus
import Scanning

// Whether the adapter is on.
extension AdapterSession {
    /// Powers on an adapter that is off, if that is allowed and was not done since the adapter was found.
    func powerOn() async throws {
        guard adapter?.isPowered == false else { return }
        guard !record.snapshot.isSwitchedOff else { throw switchedOff }
        guard options.powersAdapter, !wasPowered else { throw BlueZError.poweredOff(name) }
        try await setPowered(true)
        wasPowered = true
        record.report(.poweredOn)
    }

    /// The error of an adapter that went off while it was in use.
    var switchedOff: BlueZError { .switchedOff(name, retry: options.powersAdapter ? offWait : nil) }

    /// How long the adapter stays off: the first wait, doubled each time that it went off again, up to the longest.
    private var offWait: Duration {
        // At most 16 times, so that the product does not overflow.
        let doublings = min(max(timesOff, 1) - 1, 16)
        return min(options.offWaits.lowerBound * (1 << doublings), options.offWaits.upperBound)
    }

    /// Schedules one attempt to power the adapter on each time that it has gone off, and the end of that count.
    func schedulePower() {
        guard options.powersAdapter, scheduledPower != timesOff else { return }
        scheduledPower = timesOff
        post(.powerAgain(timesOff), after: offWait)
        post(.stayedOn(timesOff), after: offWait + options.offWaits.upperBound)
    }

    /// Powers on an adapter that has been off for a while.
    func powerOnAgain() async {
        do {
            try await setPowered(true)
        } catch {
            guard adapter != nil else { return }
            timesOff += 1
            record.update { $0.lastError = "\(error)" }
            return schedulePower()
        }
        record.report(.poweredOn)
        await takeMissingSteps()
    }

    /// Sets the adapter's property `Powered`.
    func setPowered(_ isOn: Bool) async throws {
        try await connection.call(
            DBusCall(
                destination: BlueZNames.bus, path: BlueZNames.path(ofAdapter: name),
                interface: BlueZNames.properties, member: "Set",
                arguments: [.string(BlueZNames.adapter), .string("Powered"), .variant(.boolean(isOn))]
            ), timeout: options.callTimeout)
        adapter?.isPowered = isOn
        if !isOn { isScanning = false }
        publishState()
    }
}
