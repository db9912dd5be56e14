import Beacons
import CommandSupport
import RegistryAPI

extension BeaconIdentity {
    /// The identity in a table or a sentence.
    ///
    /// - Parameter rotating: whether the identity is only the name of a rotating beacon, which no beacon sends.
    func text(rotating: Bool?) -> String { rotating == true ? "\(self), the name of a rotating beacon" : "\(self)" }

    /// The three fields to enter into the beacon's app; each can be copied separately.
    var fields: [String] { ["UUID    \(uuid)", "Major   \(major)", "Minor   \(minor)"] }

    /// Prints the fields below a heading that says what to do with them.
    func printFields(_ heading: String) {
        Output.line(heading)
        fields.forEach { Output.line("  \($0)") }
    }
}

extension Bike {
    /// Prints the owner's next steps with the beacon.
    ///
    /// - Parameter keyFile: the file that has the key of a new rotating beacon; nil if it must be printed.
    func printBeaconSteps(keyFile: String? = nil) {
        if let rotation {
            if let keyFile {
                Output.line("Its beacon’s key is in \(keyFile). Anyone who has it can follow the bike.")
            } else if let key = rotation.key {
                Output.line("This is its beacon’s key. It is shown only now. Anyone who has it can follow the bike:")
                Output.line("  \(key)")
            }
            Output.line(
                "Give it to the beacon with ‘findmybike beacon provision --key-file \(keyFile ?? "FILE")’, and keep a copy "
                    + "for ‘findmybike find’.")
            return Output.line("Then stand beside the bike, and run ‘findmybike beacon check’.")
        }
        identity.printFields("Set its beacon to these values, in its maker’s app:")
        guard pending != nil else { return }
        Output.line("Change only the minor: UUID and major stay the same.")
        Output.line("Then run ‘findmybike bike test’ with the beacon near a station, to prove that it is yours.")
        Output.line("Until then the bike cannot be reported missing.")
    }

    /// The identity that the bike's beacon sends, for a table. The identity of a rotating beacon is only a name.
    var beaconText: String {
        guard let rotation else { return "\(identity)" }
        return rotation.isUnreadable ? "rotating, not heard" : "rotating"
    }

    /// The beacon's name in a sentence.
    var beaconName: String { rotation == nil ? "beacon \(identity)" : "the rotating beacon" }

    /// For a rotating beacon whose key the registry cannot read.
    static let unreadableRemedy =
        "no station can hear its beacon, because the registry cannot read the beacon’s key. Ask the registry’s operator to "
        + "restore the key file. With your own copy of the key, ‘findmybike find’ still works."

    /// The remedy if the registry cannot read the key of the bike's beacon; nil if it can.
    var unreadableRemark: String? {
        rotation?.isUnreadable == true ? "\(self.make) \(self.model): \(Self.unreadableRemedy)" : nil
    }

    /// Whether the bike is missing, or cannot be reported missing yet.
    ///
    /// - Parameter search: its open report, if the caller has it.
    func stateText(_ search: MissingReport? = nil) -> String {
        if openReport != nil { return search?.searchEnded == nil ? "MISSING" : "MISSING, search ended" }
        guard let pending else { return "not missing" }
        return pending.testEnds.map { "beacon in test until \($0.local)" }
            ?? "beacon not proved: ‘findmybike bike test’"
    }
}
