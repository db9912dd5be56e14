public import HTTPClient

/// The reason why Home Assistant cannot be listened to.
public enum HomeAssistantError: Error, Hashable, Sendable {
    /// The connection could not be made, or was lost.
    case connection(HTTPError)
    /// Home Assistant closed the connection.
    case closed
    /// Home Assistant did not do this in time.
    case unanswered(Step)
    /// Something answered with this status of HTTP and not with a WebSocket.
    case status(Int)
    /// What answers is not Home Assistant, or breaks its protocol.
    case malformed
    /// A message is too long and cannot be a history, or it has too many parts.
    case tooLarge
    /// More adverts arrive than radios can hear.
    case flooding
    /// The file with the token cannot be used, for this reason.
    case noToken(String)
    /// Home Assistant does not accept the token, which is wrong or was revoked.
    case tokenRefused
    /// The token is one of a user who is not an administrator.
    case notAdministrator
    /// The version does not offer what its radios hear.
    case tooOld(version: String)
    /// Home Assistant's Bluetooth integration is not set up, or not yet.
    case noBluetooth
    /// Home Assistant refuses the request with this code.
    case refused(code: String)
    /// Home Assistant has no Bluetooth adapter and no proxy.
    case noSource
    /// Home Assistant passes on nothing.
    case silent

    /// What Home Assistant has to do, in this order.
    public enum Step: String, Hashable, Sendable {
        case greeting = "ask for the token"
        case authentication = "answer about the token"
        case history = "send what it has heard"
    }
}

extension HomeAssistantError {
    /// Whether Home Assistant was there, so that the fault is not that it is switched off.
    var isFromHomeAssistant: Bool {
        switch self {
        case .connection, .noToken: false
        default: true
        }
    }
}

extension HomeAssistantError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .connection(.addressRefused(let address)):
            "the address \(address) is in the Internet, where a token must not travel unencrypted: use https:// in "
                + "home-assistant"
        case .connection(let error) where error.isCertificateProblem:
            "Home Assistant’s certificate is not trusted (\(error)): set certificateAuthority, or use the name for which "
                + "it was issued"
        case .connection(let error): "Home Assistant cannot be reached (\(error)): check that it runs, and its address"
        case .closed: "Home Assistant closed the connection: it may be restarting"
        case .unanswered(let step): "Home Assistant did not \(step.rawValue) in time"
        case .status(let status): "Home Assistant answered with status \(status)" + Self.remedy(status)
        case .malformed: "what answers is not Home Assistant: check the address"
        case .tooLarge: "Home Assistant sent a message that is too long"
        case .flooding: "Home Assistant sends more adverts than radios can hear"
        case .noToken(let reason): reason
        case .tokenRefused:
            "Home Assistant does not accept the token: make a new one (your profile → Security → Long-lived access "
                + "tokens) and write it into tokenFile; it is tried within a minute"
        case .notAdministrator:
            "the token’s user is not an administrator, and only administrators may see what Bluetooth hears: make the "
                + "token as an administrator"
        case .tooOld(let version):
            "Home Assistant \(version) does not offer what its radios hear: update it to 2025.2 or later"
        case .noBluetooth:
            "Home Assistant’s Bluetooth integration is not set up, or still starting: see Settings → Devices & services → "
                + "Bluetooth"
        case .refused(let code): "Home Assistant refuses the request (\(code))"
        case .noSource:
            "Home Assistant has no Bluetooth adapter and no Bluetooth proxy: add one in Settings → Devices & services"
        case .silent:
            "Home Assistant has passed on nothing for \(HomeAssistantDialogue.silence.components.seconds) s: check its "
                + "Bluetooth adapters and proxies"
        }
    }

    private static func remedy(_ status: Int) -> String {
        switch status {
        case 300..<400: ": use the address that your browser shows once it has opened this one"
        case 403: ": it may have banned this machine’s address; see ip_bans.yaml in its configuration folder"
        case 404: ": check the address, and a path in it"
        case 500...: ": it may be starting"
        default: ": check the address"
        }
    }
}
