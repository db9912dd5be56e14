/// What is kept of one world: counts, because how much the world counts is known only after all worlds.
struct Outcome: Sendable {
    /// The bikes of one kind of thief.
    struct Model: Sendable {
        let bikes: Int32
        /// Those that all stations of the first order hear within each horizon.
        let planned: [Int32]
        /// Those that the existing stations hear within the goal.
        let existing: Int32
        /// The sum over the random orders of those that as many stations hear within the goal.
        let random: Int32
    }

    let counts: HeardTally.Counts
    /// The share of each kind of thief in the world; together 1.
    let mixture: [Double]
    /// For each kind of thief.
    let models: [Model]
    // As in ``HeardTally``.
    let onlyHere: [Int32]
    let delays: [Int32]
    let stolen: [Int32]
    let stolenAndHeard: [Int32]

    /// - Parameters:
    ///   - stations: the number of planned stations.
    ///   - goal: the horizon for which they are chosen.
    init(_ tally: HeardTally, _ world: World, stations: Int, goal: Horizon) {
        counts = tally.all
        mixture = zip(world.running, [0] + world.running).map { $0 - $1 }
        models = tally.models.map { counts in
            Model(
                bikes: Int32(counts.bikes),
                planned: Horizon.allCases.map { Int32(counts.heard(order: 0, $0, stations: stations)) },
                existing: Int32(counts.heard(order: 0, goal, stations: 0)),
                random: Evaluation.randomOrders(of: counts.orders).reduce(0) {
                    $0 + Int32(counts.heard(order: $1, goal, stations: stations))
                })
        }
        (onlyHere, delays) = (tally.onlyHere, tally.delays)
        (stolen, stolenAndHeard) = (tally.stolen, tally.stolenAndHeard)
    }
}
