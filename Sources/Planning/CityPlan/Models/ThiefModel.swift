public import Simulation
import Syntax

/// What becomes of stolen bikes, according to one kind of thief.
public struct ThiefModel: Hashable, Sendable {
    /// 1–40 characters.
    public let name: String
    /// In plain words, at most 400 characters.
    public let description: String
    /// How likely it is before anything is known, in whole parts, 1 to 20: the shares of the models in a city are drawn
    /// from a Dirichlet distribution with these parameters.
    public let prior: Int
    let assumptions: [Assumption]

    static let kinds: [AssumptionKind<Behaviour>] = [
        AssumptionKind("stolenAtNight", \.stolenAtNight, "share stolen between 22 and 6 o’clock", in: 0...1),
        AssumptionKind(
            "reportedAfter", \.reportedAfter, "time from the theft to the report, on average", unit: " h",
            in: 0.01...240),
        AssumptionKind(
            "beaconRemoved", \.beaconRemoved, "share whose beacon the thief removes, after half a day on average",
            in: 0...1),
        AssumptionKind("carried", \.carried, "share moved away in a van or car; the others are ridden", in: 0...1),
        AssumptionKind("leavesAtOnce", \.leavesAtOnce, "share taken out of town at once", in: 0...1),
        AssumptionKind(
            "movedMetres", \.movedMetres, "how far the bike is first moved, typically", unit: " m", in: 50...100_000),
        AssumptionKind(
            "inCellar", \.inCellar, "share hidden where nothing can be heard, such as in a cellar", in: 0...1),
        AssumptionKind("indoors", \.indoors, "of the others, share kept behind a wall", in: 0...1),
        AssumptionKind("wall", \.wall, "how much the wall weakens the signal", unit: " dB", in: 0...60),
        AssumptionKind("hidingDays", \.hidingDays, "time with the thief, on average", unit: " days", in: 0.01...1000),
        AssumptionKind("thiefRides", \.thiefRides, "rides a day by the thief", in: 0...20),
        AssumptionKind(
            "soldInTown", \.soldInTown, "share then sold in town; the others leave town or are taken apart",
            in: 0...1),
        AssumptionKind("buyerRides", \.buyerRides, "rides a day by the buyer", in: 0...20),
        AssumptionKind("rideMetres", \.rideMetres, "length of a ride, typically", unit: " m", in: 50...100_000),
        AssumptionKind("explores", \.explores, "how readily a rider goes to new places, 0 to 1", in: 0...1),
        AssumptionKind("speed", \.speed, "speed of a ride", unit: " m/s", in: 0.5...15),
    ]
}

/// The assumptions of a model with drawn values; ``ThiefModel/kinds`` says what each means, and its unit.
struct Behaviour: Sendable {
    var stolenAtNight = 0.0
    var reportedAfter = 0.0
    var beaconRemoved = 0.0
    var carried = 0.0
    var leavesAtOnce = 0.0
    var movedMetres = 0.0
    var inCellar = 0.0
    var indoors = 0.0
    var wall = 0.0
    var hidingDays = 0.0
    var thiefRides = 0.0
    var soldInTown = 0.0
    var buyerRides = 0.0
    var rideMetres = 0.0
    var explores = 0.0
    var speed = 0.0

    init(_ model: ThiefModel, _ random: inout SplitMix64) {
        model.assumptions.draw(ThiefModel.kinds, into: &self, &random)
    }
}

extension ThiefModel {
    /// Reads a model from YAML, strictly; `source` is its name in errors.
    public init(yaml: String, source: String) throws(ScenarioError) {
        let top = try ScenarioField(yaml: yaml, source: source).object(
            allowing: ["name", "description", "prior", "assumptions"])
        name = try top.required("name").text(limit: 40).line(atMost: 40)
        description = try top.required("description").text(limit: 400).line(atMost: 400)
        prior = try top.required("prior").integer(in: 1...20)
        assumptions = try top.required("assumptions").assumptions(Self.kinds)
    }

    var shown: [ShownAssumption] {
        zip(Self.kinds, assumptions).map { ShownAssumption(of: name, $0, $1) }
    }
}
