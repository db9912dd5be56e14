/// A subject, the doctor's finding about it, and its remedy.
public struct Check: Hashable, Sendable, Codable {
    /// A stable identifier for programs: `adapter`.
    public let identifier: String
    /// A title for people: `Bluetooth adapter`.
    public let title: String
    public let verdict: Verdict
    /// The finding, in one line.
    public let finding: String
    /// The remedy, in one line; nil if there is nothing to do.
    public let remedy: String?
}

/// The meaning of a finding for a station.
public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
    case ok
    /// It works, but less well than it could, or perhaps not for long.
    case warning
    /// Something does not work.
    case failure
    /// The check is irrelevant here, or something else must be repaired first.
    case notApplicable
}

/// The subjects of the checks, in the order in which to repair them.
public enum CheckSubject: String, Hashable, Sendable, CaseIterable {
    case daemon, permission, adapter, rfkill, monitor, kernel, wifi, receiver, clock, registry, token, location

    /// The subjects that are about this machine's adapters.
    static let radio: [CheckSubject] = [.daemon, .permission, .adapter, .rfkill, .monitor, .kernel, .wifi]

    /// The finding for subjects that depend on settings which cannot be used.
    static let withoutSettings = "the settings cannot be used"

    /// The subject for people, as in ``Check/title``.
    public var title: String {
        switch self {
        case .daemon: "Bluetooth service"
        case .permission: "Permission"
        case .adapter: "Bluetooth adapter"
        case .rfkill: "Radio switch"
        case .monitor: "Advertisement monitor"
        case .kernel: "Kernel"
        case .wifi: "Wi-Fi beside Bluetooth"
        case .receiver: "Receiver"
        case .clock: "Clock"
        case .registry: "Registry"
        case .token: "Token"
        case .location: "Location"
        }
    }

    func ok(_ finding: String) -> Check { check(.ok, finding, nil) }
    func notApplicable(_ finding: String) -> Check { check(.notApplicable, finding, nil) }
    func warning(_ finding: String, remedy: String) -> Check { check(.warning, finding, remedy) }
    func failure(_ finding: String, remedy: String) -> Check { check(.failure, finding, remedy) }

    private func check(_ verdict: Verdict, _ finding: String, _ remedy: String?) -> Check {
        Check(identifier: rawValue, title: title, verdict: verdict, finding: finding, remedy: remedy)
    }
}
