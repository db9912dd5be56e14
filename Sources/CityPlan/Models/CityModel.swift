public import Simulation

/// What is assumed about the stations and vehicles of every city.
public struct CityModel: Hashable, Sendable {
    let assumptions: [Assumption]

    static let kinds: [AssumptionKind] = [
        AssumptionKind(key: "uptime", words: "share of days on which a station works", unit: "", bounds: 0...1),
        AssumptionKind(
            key: "offAtNight", words: "share of stations that are switched off when the venue is closed", unit: "",
            bounds: 0...1),
        AssumptionKind(key: "opens", words: "when venues open", unit: " o’clock", bounds: 0...12),
        AssumptionKind(key: "closes", words: "when venues close", unit: " o’clock", bounds: 12...24),
        AssumptionKind(
            key: "vehicleSpeed", words: "speed of buses and delivery bikes with a station", unit: " m/s",
            bounds: 0.5...15),
        AssumptionKind(
            key: "vanLoss", words: "what a van’s walls take from the signal", unit: " dB", bounds: 0...60),
        AssumptionKind(key: "vanSpeed", words: "speed of a van or car", unit: " m/s", bounds: 0.5...30),
    ]

    /// Reads the file `city.yaml`, strictly.
    public init(yaml: String, source: String) throws(ScenarioError) {
        let top = try ScenarioField(yaml: yaml, source: source).object(allowing: ["assumptions"])
        assumptions = try top.required("assumptions").assumptions(Self.kinds)
    }

    var shown: [ShownAssumption] {
        zip(Self.kinds, assumptions).map { ShownAssumption(of: "every city", $0, $1) }
    }
}
