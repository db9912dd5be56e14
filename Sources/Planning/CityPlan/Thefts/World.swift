import Simulation

/// One city as it could be: values drawn for all assumptions, and the shares of the kinds of thieves.
struct World: Sendable {
    let seed: UInt64
    /// For each model the running sum of its share, up to 1.
    let running: [Double]
    /// For each model.
    let behaviours: [Behaviour]
    let surroundings: Surroundings
    /// For each model the chances that a ridden bike is heard when it passes a station, by distance in half metres, as
    /// in ``PassTable``.
    let rideChances: [[Float]]
    /// The same for a bike that is carried in a van.
    let vanChances: [Float]
    /// For each model the chances that a parked bike is heard by a passing vehicle, outdoors and behind a wall.
    let vehicleChances: [(street: [Float], indoors: [Float])]
    /// For each model where a bike is taken to stay.
    var moves: [Destinations]
    /// For each model where a bike is ridden to and back.
    var rides: [Destinations]

    /// Draws a world.
    ///
    /// - Parameter drawsVehicles: whether vehicles carry stations.
    init(_ models: PlanModels, passes: PassTable, routes: Routes, seed: UInt64, drawsVehicles: Bool = false) {
        self.seed = SplitMix64.mix(seed)
        var random = SplitMix64(seed: seed, stream: "world")
        // Dirichlet: gamma deviates with whole parameters are sums of exponential ones.
        let parts = models.thieves.map { model in
            (0..<model.prior).reduce(0.0) { sum, _ in sum + random.exponential() }
        }
        let total = parts.reduce(0, +)
        var sum = 0.0
        running = parts.map {
            sum += $0
            return sum / total
        }
        behaviours = models.thieves.map { Behaviour($0, &random) }
        let surroundings = Surroundings(models.city, &random)
        self.surroundings = surroundings
        vanChances = passes.chances(speed: surroundings.vanSpeed, loss: surroundings.vanLoss)
        rideChances = behaviours.map { passes.chances(speed: $0.speed, loss: 0) }
        vehicleChances = behaviours.map {
            guard drawsVehicles else { return ([], []) }
            let speed = surroundings.vehicleSpeed
            return (passes.chances(speed: speed, loss: 0), passes.chances(speed: speed, loss: $0.wall))
        }
        moves = behaviours.map { Destinations(decay: $0.movedMetres, in: routes) }
        rides = behaviours.map { Destinations(decay: $0.rideMetres, in: routes) }
    }
}
