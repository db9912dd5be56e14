import Beacons
import CommandLines
import RegistryAPI

extension BeaconIdentity {
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
    func printBeaconSteps() {
        identity.printFields("Set its beacon to these values, in its maker’s app:")
        guard pending != nil else { return }
        Output.line("Change only the minor: UUID and major stay the same.")
        Output.line("Then run ‘findmybike bike test’ with the beacon near a station, to prove that it is yours.")
        Output.line("Until then the bike cannot be reported missing.")
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
