public import Simulation

/// What is assumed about the stations and vehicles of every city.
public struct CityModel: Hashable, Sendable {
    let assumptions: [Assumption]

    static let kinds: [AssumptionKind<Surroundings>] = [
        AssumptionKind("uptime", \.uptime, "share of days on which a station works", in: 0...1),
        AssumptionKind(
            "offAtNight", \.offAtNight, "share of stations that are off while the venue is closed", in: 0...1),
        AssumptionKind("opens", \.opens, "when venues open", unit: " o’clock", in: 0...12),
        AssumptionKind("closes", \.closes, "when venues close", unit: " o’clock", in: 12...24),
        AssumptionKind(
            "vehicleSpeed", \.vehicleSpeed, "speed of buses and delivery bikes with a station", unit: " m/s",
            in: 0.5...15),
        AssumptionKind("vanLoss", \.vanLoss, "how much a van weakens the signal", unit: " dB", in: 0...60),
        AssumptionKind("vanSpeed", \.vanSpeed, "speed of a van or car", unit: " m/s", in: 0.5...30),
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

/// The assumptions about a city with drawn values; ``CityModel/kinds`` says what each means, and its unit.
struct Surroundings: Sendable {
    var uptime = 0.0
    var offAtNight = 0.0
    var opens = 0.0
    var closes = 0.0
    var vehicleSpeed = 0.0
    var vanLoss = 0.0
    var vanSpeed = 0.0

    init(_ model: CityModel, _ random: inout SplitMix64) {
        model.assumptions.draw(CityModel.kinds, into: &self, &random)
    }
}
