/// No radio hears anything, and no step has helped: the program ends, for systemd to start it afresh.
public struct RadioFailure: Error, Hashable, Sendable {
    public let adapters: [String]

    /// What the program exits with, so that a unit can tell this end from others (EX_OSERR of sysexits(3)).
    public static let exitStatus: Int32 = 71
}

extension RadioFailure: CustomStringConvertible {
    public var description: String {
        "no radio hears anything (\(adapters.joined(separator: ", "))), and no recovery step has helped: "
            + "check the adapter, its antenna and its power supply"
    }
}
