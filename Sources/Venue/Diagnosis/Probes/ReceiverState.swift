public import StationStatus

/// A receiver in the monitor's settings, and what is known about it.
public struct ReceiverState: Hashable, Sendable {
    /// What is known about the receiver.
    public enum Finding: Hashable, Sendable {
        /// The state that the running monitor reports.
        case reported(StatusReport.Radio)
        /// A monitor is running that does not have this receiver.
        case unknownToMonitor
        /// No monitor is running, and the receiver accepted a connection.
        case reachable
        /// No monitor is running, and the receiver accepted no connection, for this reason.
        case unreachable(String)
        /// No monitor is running, and only a monitor can test this receiver.
        case untested
    }

    public let name: String
    /// Where it is: `192.168.1.30:6053`, or a topic.
    public let source: String
    public let finding: Finding

    public init(name: String, source: String, finding: Finding) {
        self.name = name
        self.source = source
        self.finding = finding
    }
}

/// The receivers in the monitor's settings.
public enum ReceiverStates: Hashable, Sendable {
    /// In the order of the settings; may be empty.
    case configured([ReceiverState])
    /// The settings of receivers are invalid, for this reason.
    case misconfigured(String)
}
