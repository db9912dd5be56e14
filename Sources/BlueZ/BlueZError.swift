/// The reason why an adapter cannot be used through bluetoothd.
public enum BlueZError: Error, Hashable, Sendable {
    /// bluetoothd does not provide the adapter, or is not running.
    case adapterAbsent(String)
    /// The adapter is off, and powering it on is not allowed or failed.
    case poweredOff(String)
    /// The adapter was switched off while it was in use, perhaps on purpose.
    case switchedOff(String)
    /// bluetoothd keeps replying that discovery is starting: the controller hangs. A power cycle helps, or unplugging
    /// it.
    case wedged(String)
    /// Nobody is reading this scanner's batches, so there is nothing to recover.
    case notScanning(String)
    /// The scanner's batches are already being read.
    case alreadyScanning(String)
    /// This scanner cannot take the step.
    case stepUnavailable(String)
}

extension BlueZError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .adapterAbsent(let name): "bluetoothd has no adapter \(name); check that it is plugged in"
        case .poweredOff(let name): "\(name) is powered off; try ‘bluetoothctl power on’ and ‘rfkill unblock bluetooth’"
        case .switchedOff(let name):
            "somebody switched \(name) off, so it stays off; run ‘bluetoothctl power on’, or restart this program"
        case .wedged(let name): "\(name) hangs when discovery starts; power-cycle it, or unplug it"
        case .notScanning(let name): "\(name) is not scanning"
        case .alreadyScanning(let name): "\(name) is already scanning"
        case .stepUnavailable(let step): "bluetoothd cannot perform the step ‘\(step)’"
        }
    }
}
