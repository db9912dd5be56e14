import Simulation

/// One city as it could be: values drawn for all assumptions, and the shares of the kinds of thieves.
struct World: Sendable {
    let seed: UInt64
    /// For each model the running sum of its share, up to 1.
    let running: [Double]
    let behaviours: [Behaviour]
    let uptime, offAtNight, opens, closes, vehicleSpeed: Double
    /// For each model the chances of a pass, when ridden; and when carried in a van.
    let rideChances: [[Float]]
    let vanChances: [Float]
    let vanSpeed: Double
    /// For each model the chances that a parked bike is heard by a passing vehicle, outdoors and behind a wall.
    let vehicleChances: [(street: [Float], indoors: [Float])]
    /// For each model and each cell the running sums over all anchors of where a bike is moved, and ridden.
    let moves: [[Float]]
    let rides: [[Float]]

    /// - Parameters:
    ///   - only: the only model of this world; nil for a mixture.
    ///   - drawsVehicles: whether vehicles carry stations.
    init(
        _ models: PlanModels, passes: PassTable, routes: Routes, seed: UInt64, only: Int? = nil,
        drawsVehicles: Bool = false
    ) {
        self.seed = SplitMix64.mix(seed)
        var random = SplitMix64(seed: seed, stream: "world")
        // Dirichlet: gamma deviates with whole parameters are sums of exponential ones.
        let parts = models.thieves.enumerated().map { index, model in
            let gamma = (0..<model.prior).reduce(0.0) { sum, _ in sum + random.exponential() }
            return only.map { $0 == index ? 1 : 0 } ?? gamma
        }
        let total = parts.reduce(0, +)
        var sum = 0.0
        running = parts.map {
            sum += $0
            return sum / total
        }
        behaviours = models.thieves.map { Behaviour($0, &random) }
        let city = models.city.assumptions.map { $0.drawn(&random) }
        (uptime, offAtNight, opens, closes) = (city[0], city[1], city[2], city[3])
        let vehicleSpeed = city[4]
        self.vehicleSpeed = vehicleSpeed
        vanChances = passes.chances(speed: city[6], loss: city[5])
        vanSpeed = city[6]
        rideChances = behaviours.map { passes.chances(speed: $0.speed, loss: 0) }
        vehicleChances = behaviours.map {
            drawsVehicles
                ? (passes.chances(speed: vehicleSpeed, loss: 0), passes.chances(speed: vehicleSpeed, loss: $0.wall))
                : ([], [])
        }
        moves = behaviours.map { Self.running(routes, decay: $0.movedMetres) }
        rides = behaviours.map { Self.running(routes, decay: $0.rideMetres) }
    }

    /// Destinations by their weight, rarer with distance.
    private static func running(_ routes: Routes, decay: Double) -> [Float] {
        let count = routes.anchors.count
        var sums = [Float](repeating: 0, count: count * count)
        // exp(−x) by table, in steps of 1/64: a city has 65,000 pairs of anchors, and a plan hundreds of worlds.
        let exponentials = (0...1280).map { Float(SplitMix64.decay(Double($0) / 64)) }
        let scale = Float(64 / decay)
        for from in 0..<count {
            var sum: Float = 0
            for to in 0..<count {
                let step = min(1280, routes.metres[from * count + to] * scale)
                sum += routes.cellWeight[to] * exponentials[Int(step)]
                sums[from * count + to] = sum
            }
        }
        return sums
    }

    /// An anchor from a row of running sums.
    @inline(__always)
    static func destination(_ sums: [Float], from cell: Int32, count: Int, at share: Double) -> Int32 {
        let row = Int(cell) * count
        let target = Float(share) * sums[row + count - 1]
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[row + middle] > target { high = middle } else { low = middle + 1 }
        }
        return Int32(low)
    }
}
