/// A share, and the interval in which a city’s own share lies with 90 %.
public struct Interval: Hashable, Codable, Sendable {
    /// The mean over all worlds.
    public let share: Double
    public let low: Double
    public let high: Double

    /// The interval of the shares in some worlds, each with its weight.
    ///
    /// With equal weights, `count` worlds and one more city drawn like them, the city’s share lies between the kth
    /// smallest and the kth greatest with the probability (count + 1 − 2k) / (count + 1), whatever the distribution. With
    /// 199 worlds and k = 10 that is 90 %.
    init(_ shares: [Double], weights: [Double]? = nil) {
        let weights = weights ?? [Double](repeating: 1, count: shares.count)
        let total = weights.reduce(0, +)
        share = total > 0 ? zip(shares, weights).reduce(0) { $0 + $1.0 * $1.1 } / total : 0
        let order = shares.indices.sorted { shares[$0] < shares[$1] }
        // Weighted, the place of the kth smallest is where the weight of those up to it reaches k / (count + 1).
        let tail = 0.05 * total * Double(shares.count + 1) / Double(max(1, shares.count))
        low = Self.value(order, shares, weights, reaching: tail)
        high = Self.value(order.reversed(), shares, weights, reaching: tail)
    }

    private static func value(
        _ order: [Int], _ shares: [Double], _ weights: [Double], reaching tail: Double
    ) -> Double {
        var sum = 0.0
        for index in order {
            sum += weights[index]
            if sum >= tail - 1e-9 { return shares[index] }
        }
        return order.last.map { shares[$0] } ?? 0
    }
}
