import Simulation

extension City {
    /// The share of the pieces of street that some vehicles drive on in some time: the sensing power of a fleet (O’Keeffe
    /// and others 2019, doi 10.1073/pnas.1821667116). Each vehicle drives from one destination to the next, shortest ways.
    ///
    /// - Parameters:
    ///   - fleets: numbers of vehicles, ascending.
    ///   - hours: of driving, 0 to 10,000.
    ///   - speed: in metres a second, at least 0.1.
    /// - Returns: for each number of vehicles the share, 0 to 1.
    public func streetShares(ofFleets fleets: [Int], hours: Double, speed: Double, seed: UInt64) -> [Double] {
        var driven = [Bool](repeating: false, count: streets.pieces.count)
        var running: [Double] = []
        for weight in routes.cellWeight { running.append((running.last ?? 0) + Double(weight)) }
        var random = SplitMix64(seed: seed, stream: "fleet")
        func randomAnchor() -> Int32 {
            let target = random.uniform() * (running.last ?? 0)
            return Int32(running.firstIndex { $0 > target } ?? running.count - 1)
        }
        var shares: [Double] = []
        var vehicles = 0
        for fleet in fleets {
            while vehicles < fleet {
                vehicles += 1
                var metres = max(0, min(10_000, hours)) * 3600 * max(0.1, speed)
                var crossing = routes.member(of: randomAnchor(), at: random.uniform())
                while metres > 0 {
                    let goal = randomAnchor()
                    // Even a journey to the same place counts 60 m, so that this ends.
                    metres -= 60
                    while metres > 0, case let piece = routes.piece(towards: goal, from: crossing), piece >= 0 {
                        driven[Int(piece)] = true
                        metres -= Double(streets.pieces[Int(piece)].length)
                        crossing = streets.other(piece, than: crossing)
                    }
                }
            }
            shares.append(Double(driven.count { $0 }) / Double(driven.count))
        }
        return shares
    }
}
