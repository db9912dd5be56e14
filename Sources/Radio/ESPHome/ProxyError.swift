import Glibc

/// The reason why a proxy cannot be listened to.
public enum ProxyError: Error, Hashable, Sendable {
    /// A system call failed; `code` is its errno.
    case system(Action, code: CInt)
    /// The name of the proxy is not known; `code` is that of getaddrinfo(3).
    case unknownHost(code: CInt)
    /// The proxy closed the connection.
    case closed
    /// The proxy did not do this in time.
    case unanswered(Step)
    /// The proxy requires a key, and none is set here.
    case keyNeeded
    /// The proxy has no key, but one is set here.
    case keyUnknown
    case wrongKey
    /// The proxy refused the handshake, or did it wrongly.
    case handshake
    /// What answers is not an ESPHome device.
    case notESPHome
    /// The device forwards no advertisements.
    case notAProxy
    /// The firmware cannot forward advertisements unparsed.
    case tooOld
    /// The major version of the device's API is not known here.
    case tooNew(major: UInt32)
    /// The device asks for a password.
    case passwordNeeded
    /// The device sent something that its protocol does not allow.
    case malformed
    /// A message was not authentic: it was changed on its way.
    case forged
    /// The device sends more reports than a radio can hear.
    case flooding
    /// The device accepted the subscription but never sent anything.
    case unheard
    /// The device now serves another program, which subscribed later.
    case taken
    /// The device says that it scans, but forwards nothing.
    case silent
    /// The device's scanner has failed.
    case scannerFailed
    /// The device ended the connection, for example to restart.
    case dismissed
    /// No task is reading the scanner's batches.
    case notScanning
    /// The scanner cannot take this step.
    case unavailableStep(String)

    /// The step that failed, in words for the message “cannot …”.
    public enum Action: String, Hashable, Sendable {
        case connect = "be reached"
        case read = "be read"
        case write = "be written to"
    }

    /// What a proxy has to do, in this order.
    public enum Step: String, Hashable, Sendable {
        case connection = "accept a connection"
        case handshake = "complete the handshake"
        case greeting = "answer the greeting"
        case information = "say what it is"
        case messages = "send anything"
    }
}

extension ProxyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .system(let action, let code):
            "the proxy cannot \(action.rawValue): \(String(cString: strerror(code)))" + Self.remedy(code)
        case .unknownHost(let code):
            "the proxy’s name is not known (\(String(cString: gai_strerror(code)))): check it, or write its address "
                + "instead; names that end with .local need the package libnss-mdns"
        case .closed: "the proxy closed the connection"
        case .unanswered(let step):
            "the proxy did not \(step.rawValue) in time: check its power and its Wi-Fi, or restart it"
        case .keyNeeded:
            "the proxy requires a key: write the key from ‘api: encryption: key:’ of its settings into a file, and set "
                + "keyFile"
        case .keyUnknown:
            "the proxy has no key, but keyFile is set: set ‘api: encryption: key:’ in the proxy’s settings, or remove "
                + "keyFile"
        case .wrongKey:
            "the key in keyFile does not match the proxy’s key: copy the key from ‘api: encryption: key:’ of its settings"
        case .handshake: "the proxy refused the handshake: update its firmware, and check keyFile"
        case .notESPHome: "the device at this address does not run ESPHome: check the address and the port"
        case .notAProxy:
            "the device is not a Bluetooth proxy: add ‘bluetooth_proxy:’ and ‘esp32_ble_tracker:’ to its settings"
        case .tooOld: "the proxy’s firmware is too old: update it to ESPHome 2023.6 or later"
        case .tooNew(let major):
            "the proxy speaks version \(major) of ESPHome’s API, which this program does not know: update this program"
        case .passwordNeeded:
            "the proxy asks for a password, which is not supported: replace ‘password:’ by ‘encryption: key:’ in its "
                + "settings, and set keyFile"
        case .malformed: "the proxy sent something that is not valid: update its firmware"
        case .forged: "a message of the proxy was changed on its way"
        case .flooding: "the proxy sends more than a radio can hear: restart it, and check that it is yours"
        case .unheard:
            "the proxy is connected but sends no advertisements: it serves only one program at a time, so remove it "
                + "from the other one, for example Home Assistant"
        case .taken:
            "another program has taken the proxy, for example Home Assistant, and the monitor does not take it back: remove "
                + "the proxy from the other program and restart the monitor, or set takeBack: true for this receiver"
        case .silent:
            "the proxy is connected but has sent no advertisement for a minute: if devices are near it, another program "
                + "may have taken it, or its radio hangs; restart it"
        case .scannerFailed: "the proxy cannot listen, because its scanner has failed: restart the proxy"
        case .dismissed: "the proxy ended the connection, for example because it is being restarted"
        case .notScanning: "nobody listens to the proxy: read its batches first"
        case .unavailableStep(let step): "a proxy has no step ‘\(step)’"
        }
    }

    private static func remedy(_ code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "; the device responds, but not on this port: add ‘api:’ to its settings, or check the port"
        case EHOSTUNREACH, ENETUNREACH, ETIMEDOUT, EINPROGRESS, EAGAIN:
            "; check its address, its power and its Wi-Fi"
        default: ""
        }
    }
}
