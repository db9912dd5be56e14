import Glibc

/// The reason why a controller cannot be used.
public enum HCIError: Error, Hashable, Sendable {
    /// A system call failed; `code` is its errno.
    case system(Action, target: String, code: CInt)
    /// The controller refused a command, named as in the specification.
    case refused(command: String, status: HCIStatus)
    /// The controller did not reply to a command in time.
    case unanswered(command: String)
    /// The reply to a command is shorter than specified.
    case malformedAnswer(command: String)
    /// A stream of packets is out of synchronisation: no packet begins with this octet.
    case lostSynchronisation(octet: UInt8)
    /// The peer closed the connection.
    case closed(target: String)
    /// A connection that was passed in open cannot be reopened.
    case notReopenable(target: String)
    case invalidAddress(String)
    case invalidOption(String)
    /// No task is reading the scanner's batches.
    case notScanning(adapter: String)
    /// The scanner cannot take this step, or the process lacks the privilege.
    case unavailableStep(String, adapter: String)

    /// The step that failed, in words for a message.
    public enum Action: String, Hashable, Sendable {
        case open, connect, read, write
        case powerOff = "power off"
        case powerOn = "power on"
        case reset
    }
}

extension HCIError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .system(let action, let target, let code):
            "cannot \(action.rawValue) \(target): \(String(cString: strerror(code)))" + Self.remedy(action, code)
        case .refused(let command, let status):
            "the controller refused ‘\(command)’: \(status)"
        case .unanswered(let command):
            "the controller did not answer ‘\(command)’: reset it, or unplug it and plug it in again"
        case .malformedAnswer(let command):
            "the controller's answer to ‘\(command)’ is too short"
        case .lostSynchronisation(let octet):
            "the stream of packets is out of step (octet \(octet) where a packet begins): open it again; "
                + "on a serial line, check speed and flow control"
        case .closed(let target): "\(target) closed the connection"
        case .notReopenable(let target): "\(target) was handed over open and cannot be opened again"
        case .invalidAddress(let text): "‘\(text)’ is not an address: write unix:PATH or tcp:HOST:PORT"
        case .invalidOption(let text): text
        case .notScanning(let adapter): "\(adapter) is not scanning: read its batches first"
        case .unavailableStep(let step, let adapter):
            "\(adapter) cannot perform ‘\(step)’: its transport does not support it, or CAP_NET_ADMIN is missing"
        }
    }

    private static func remedy(_ action: Action, _ code: CInt) -> String {
        switch code {
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            "; this kernel has no Bluetooth: load it with ‘modprobe bluetooth’, or listen on another machine"
        case EPERM, EACCES:
            switch action {
            case .open, .read, .write: "; grant CAP_NET_RAW (systemd: AmbientCapabilities=CAP_NET_RAW)"
            case .powerOff, .powerOn, .reset: "; grant CAP_NET_ADMIN (systemd: AmbientCapabilities=CAP_NET_ADMIN)"
            case .connect: "; allow this user to use it"
            }
        case ENOENT, ECONNREFUSED: "; nothing listens there: start the program that serves the controller"
        case ENODEV: "; the adapter does not exist: ‘ls /sys/class/bluetooth’ lists the adapters"
        case ENETDOWN: "; it is powered off: ‘bluetoothctl power on’"
        case ERFKILL: "; it is blocked: ‘rfkill unblock bluetooth’"
        default: ""
        }
    }
}
