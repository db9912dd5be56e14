/// Why an adapter cannot be used through bluetoothd.
public enum BlueZError: Error, Hashable, Sendable {
    /// bluetoothd does not show the adapter, or does not run.
    case adapterAbsent(String)
    /// The adapter is off, and switching it on is not allowed or did not work.
    case poweredOff(String)
    /// Somebody switched the adapter off while it was listened to, and may have had a reason.
    case switchedOff(String)
    /// bluetoothd keeps answering that discovery is starting: the controller hangs. A power cycle helps, or unplugging it.
    case wedged(String)
    /// Nobody reads this scanner's batches, so there is nothing to recover.
    case notScanning(String)
    /// The scanner's batches are being read already.
    case alreadyScanning(String)
    /// This scanner cannot take the step.
    case stepUnavailable(String)
}

extension BlueZError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .adapterAbsent(let name): "bluetoothd shows no adapter \(name); is it plugged in, and bluetoothd running?"
        case .poweredOff(let name): "\(name) is powered off; try ‘bluetoothctl power on’ and ‘rfkill unblock bluetooth’"
        case .switchedOff(let name):
            "\(name) was switched off by somebody and stays off; ‘bluetoothctl power on’ or a restart of this program switches "
                + "it on"
        case .wedged(let name): "\(name) hangs while it starts discovery; power-cycle it, or unplug it"
        case .notScanning(let name): "\(name) is not being scanned"
        case .alreadyScanning(let name): "\(name) is being scanned already"
        case .stepUnavailable(let step): "the step ‘\(step)’ is not possible through bluetoothd"
        }
    }
}
