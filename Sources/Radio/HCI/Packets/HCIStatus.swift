import Beacons

/// The status in a controller's reply to a command, an error code unless it is zero
/// (Core Specification 5.4, volume 1, part F).
public struct HCIStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let success = HCIStatus(rawValue: 0x00)
    public static let unknownCommand = HCIStatus(rawValue: 0x01)
    public static let commandDisallowed = HCIStatus(rawValue: 0x0C)
    public static let unsupportedFeature = HCIStatus(rawValue: 0x11)

    /// Whether the controller does not have the command, or does not accept it in its current state: the other
    /// ``ScanKind`` may work.
    var isRefusalOfKind: Bool {
        self == .unknownCommand || self == .commandDisallowed || self == .unsupportedFeature
    }
}

extension HCIStatus: CustomStringConvertible {
    /// The code's name in the specification, and its number.
    public var description: String {
        let code = "0x\(rawValue.hexadecimal(uppercase: true))"
        guard Int(rawValue) < Self.names.count, !Self.names[Int(rawValue)].isEmpty else {
            return "\(code), which the specification does not define"
        }
        return "\(Self.names[Int(rawValue)]) (\(code))"
    }

    /// The names by code; empty if the code is reserved.
    private static let names = [
        "Success", "Unknown HCI Command", "Unknown Connection Identifier", "Hardware Failure", "Page Timeout",
        "Authentication Failure", "PIN or Key Missing", "Memory Capacity Exceeded", "Connection Timeout",
        "Connection Limit Exceeded", "Synchronous Connection Limit to a Device Exceeded",
        "Connection Already Exists", "Command Disallowed", "Connection Rejected due to Limited Resources",
        "Connection Rejected due to Security Reasons", "Connection Rejected due to Unacceptable BD_ADDR",
        "Connection Accept Timeout Exceeded", "Unsupported Feature or Parameter Value",
        "Invalid HCI Command Parameters", "Remote User Terminated Connection",
        "Remote Device Terminated Connection due to Low Resources",
        "Remote Device Terminated Connection due to Power Off", "Connection Terminated by Local Host",
        "Repeated Attempts", "Pairing Not Allowed", "Unknown LMP PDU", "Unsupported Remote Feature",
        "SCO Offset Rejected", "SCO Interval Rejected", "SCO Air Mode Rejected", "Invalid LL Parameters",
        "Unspecified Error", "Unsupported LL Parameter Value", "Role Change Not Allowed", "LL Response Timeout",
        "LL Procedure Collision", "LMP PDU Not Allowed", "Encryption Mode Not Acceptable",
        "Link Key cannot be Changed", "Requested QoS Not Supported", "Instant Passed",
        "Pairing with Unit Key Not Supported", "Different Transaction Collision", "", "QoS Unacceptable Parameter",
        "QoS Rejected", "Channel Classification Not Supported", "Insufficient Security",
        "Parameter Out of Mandatory Range", "", "Role Switch Pending", "", "Reserved Slot Violation",
        "Role Switch Failed", "Extended Inquiry Response Too Large", "Secure Simple Pairing Not Supported by Host",
        "Host Busy - Pairing", "Connection Rejected due to No Suitable Channel Found", "Controller Busy",
        "Unacceptable Connection Parameters", "Advertising Timeout",
        "Connection Terminated due to MIC Failure", "Connection Failed to be Established", "",
        "Coarse Clock Adjustment Rejected", "Type0 Submap Not Defined", "Unknown Advertising Identifier",
        "Limit Reached", "Operation Cancelled by Host", "Packet Too Long", "Packet Too Late", "Packet Too Early",
    ]
}
