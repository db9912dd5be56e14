public import Simulation

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

    /// The assumptions of every model, in the order of ``Behaviour``.
    static let kinds: [AssumptionKind] = [
        AssumptionKind(
            key: "stolenAtNight", words: "share stolen between 22 and 6 o’clock", unit: "", bounds: 0...1),
        AssumptionKind(
            key: "reportedAfter", words: "hours until the owner reports the theft, on average", unit: " h",
            bounds: 0.01...240),
        AssumptionKind(
            key: "beaconRemoved", words: "share whose beacon is found and removed, most within a day", unit: "",
            bounds: 0...1),
        AssumptionKind(key: "carried", words: "share first moved in a van or car", unit: "", bounds: 0...1),
        AssumptionKind(key: "leavesAtOnce", words: "share that leave town at once", unit: "", bounds: 0...1),
        AssumptionKind(
            key: "movedMetres", words: "typical distance of the first move", unit: " m", bounds: 50...100_000),
        AssumptionKind(
            key: "inCellar", words: "share kept where nothing can be heard: cellars, containers", unit: "",
            bounds: 0...1),
        AssumptionKind(key: "indoors", words: "share of the others kept behind a wall", unit: "", bounds: 0...1),
        AssumptionKind(key: "wall", words: "what the wall takes from the signal", unit: " dB", bounds: 0...60),
        AssumptionKind(
            key: "hidingDays", words: "days with the thief, on average", unit: " d", bounds: 0.01...1000),
        AssumptionKind(
            key: "thiefRides", words: "rides a day while the thief has it", unit: "", bounds: 0...20),
        AssumptionKind(
            key: "soldInTown", words: "share that are then sold in town; the others leave or are taken apart",
            unit: "", bounds: 0...1),
        AssumptionKind(key: "buyerRides", words: "rides a day of a buyer", unit: "", bounds: 0...20),
        AssumptionKind(key: "rideMetres", words: "typical distance of a ride", unit: " m", bounds: 50...100_000),
        AssumptionKind(
            key: "explores", words: "inclination to ride to places that are new", unit: "", bounds: 0...1),
        AssumptionKind(key: "speed", words: "speed of a ride", unit: " m/s", bounds: 0.5...15),
    ]
}

/// The assumptions of a model with drawn values.
struct Behaviour: Sendable {
    let stolenAtNight, reportedAfter, beaconRemoved, carried, leavesAtOnce, movedMetres: Double
    let inCellar, indoors, wall, hidingDays, thiefRides, soldInTown, buyerRides: Double
    let rideMetres, explores, speed: Double

    init(_ model: ThiefModel, _ random: inout SplitMix64) {
        let values = model.assumptions.map { $0.drawn(&random) }
        stolenAtNight = values[0]
        reportedAfter = values[1]
        beaconRemoved = values[2]
        carried = values[3]
        leavesAtOnce = values[4]
        movedMetres = values[5]
        inCellar = values[6]
        indoors = values[7]
        wall = values[8]
        hidingDays = values[9]
        thiefRides = values[10]
        soldInTown = values[11]
        buyerRides = values[12]
        rideMetres = values[13]
        explores = values[14]
        speed = values[15]
    }
}

extension ThiefModel {
    /// Reads a model from YAML, strictly; `source` is its name in errors.
    public init(yaml: String, source: String) throws(ScenarioError) {
        let top = try ScenarioField(yaml: yaml, source: source).object(
            allowing: ["name", "description", "prior", "assumptions"])
        name = try top.required("name").text(limit: 40)
        description = try top.required("description").text(limit: 400)
        prior = try top.required("prior").integer(in: 1...20)
        assumptions = try top.required("assumptions").assumptions(Self.kinds)
    }

    var shown: [ShownAssumption] {
        zip(Self.kinds, assumptions).map { ShownAssumption(of: name, $0, $1) }
    }
}
