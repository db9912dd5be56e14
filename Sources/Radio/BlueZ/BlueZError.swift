/// The reason why an adapter cannot be used through bluetoothd.
public enum BlueZError: Error, Hashable, Sendable {
    /// bluetoothd does not provide the adapter, or is not running.
    case adapterAbsent(String)
    /// The adapter is off, and powering it on is not allowed or failed.
    case poweredOff(String)
    /// The adapter went off while it was in use, perhaps on purpose.
    ///
    /// - Parameter retry: how long it stays off before it is powered on; nil if that is not allowed.
    case switchedOff(String, retry: Duration?)
    /// bluetoothd keeps replying that discovery is starting: the controller hangs. A power cycle helps, or unplugging
    /// it.
    case wedged(String)
    /// No task is reading this scanner's batches, so there is nothing to recover.
    case notScanning(String)
    /// The scanner's batches are already being read.
    case alreadyScanning(String)
    /// This scanner cannot take the step.
    case stepUnavailable(String)
}

extension Duration {
    /// In whole minutes, rounded up.
    fileprivate var inMinutes: String { "\(Int64((self / .seconds(60)).rounded(.up))) min" }
}

extension BlueZError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .adapterAbsent(let name): "bluetoothd has no adapter \(name); check that it is plugged in"
        case .poweredOff(let name): "\(name) is powered off; try ‘bluetoothctl power on’ and ‘rfkill unblock bluetooth’"
        case .switchedOff(let name, let retry):
            "\(name) went off, or somebody switched it off; "
                + (retry.map { "it stays off for \($0.inMinutes), then this program switches it on" } ?? "it stays off")
                + "; ‘bluetoothctl power on’ switches it on immediately"
        case .wedged(let name): "\(name) hangs when discovery starts; power-cycle it, or unplug it"
        case .notScanning(let name): "\(name) is not scanning"
        case .alreadyScanning(let name): "\(name) is already scanning"
        case .stepUnavailable(let step): "bluetoothd cannot perform the step ‘\(step)’"
        }
    }
}
