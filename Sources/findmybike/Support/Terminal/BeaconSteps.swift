import Beacons

extension BeaconIdentity {
    /// What is typed into the app that sets a beacon: three fields, each copied by itself.
    var fields: [String] { ["UUID    \(uuid)", "Major   \(major)", "Minor   \(minor)"] }

    /// The fields below a line that says what to do with them.
    func printFields(_ heading: String) {
        Output.line(heading)
        fields.forEach { Output.line("  \($0)") }
    }
}
