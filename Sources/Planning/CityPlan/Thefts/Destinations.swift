import Simulation

/// Where journeys lead: anchors by their weight, rarer with distance.
struct Destinations: Sendable {
    /// For each cell the running sums over all anchors; empty until a journey begins there. A city has 65,000 pairs of
    /// anchors, and a plan hundreds of worlds, each with other distances.
    private var rows: [[Float]]
    /// Steps of 1/64 in the exponent of each metre.
    private let scale: Float

    /// exp(−x) for x from 0 to 20 in steps of 1/64. What is farther away counts as if it were there.
    private static let exponentials = (0...1280).map { Float(SplitMix64.decay(Double($0) / 64)) }

    /// - Parameter decay: the metres after which a destination is rarer by a factor of e.
    init(decay: Double, in routes: Routes) {
        rows = [[Float]](repeating: [], count: routes.anchors.count)
        scale = Float(64 / decay)
    }

    /// The destination of a journey, as the index of an anchor.
    ///
    /// - Parameters:
    ///   - cell: in which the journey begins.
    ///   - share: 0 ..< 1, drawn at random.
    mutating func destination(from cell: Int32, in routes: Routes, at share: Double) -> Int32 {
        if rows[Int(cell)].isEmpty { rows[Int(cell)] = row(Int(cell), routes) }
        let row = rows[Int(cell)]
        let target = Float(share) * row[row.count - 1]
        var (low, high) = (0, row.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if row[middle] > target { high = middle } else { low = middle + 1 }
        }
        return Int32(low)
    }

    private func row(_ cell: Int, _ routes: Routes) -> [Float] {
        let exponentials = Self.exponentials
        let lastStep = Float(exponentials.count - 1)
        let count = routes.anchors.count
        var sum: Float = 0
        return (0..<count).map { anchor in
            let step = min(lastStep, routes.metres[cell * count + anchor] * scale)
            sum += routes.cellWeight[anchor] * exponentials[Int(step)]
            return sum
        }
    }
}
