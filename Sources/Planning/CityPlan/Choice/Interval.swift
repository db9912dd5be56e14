/// A share, and the interval in which a city’s own share lies with 90 %.
public struct Interval: Hashable, Codable, Sendable {
    /// The mean over all worlds, 0 to 1; also negative where shares are differences.
    public let share: Double
    /// The ends of the interval, both included.
    public let low: Double
    public let high: Double

    /// The interval of the shares in some worlds, each with its weight.
    ///
    /// With equal weights, `count` worlds and one more city drawn like them, the city’s share lies between the kth
    /// smallest and the kth greatest with the probability (count + 1 − 2k) / (count + 1), whatever the distribution. With
    /// 199 worlds and k = 10 that is 90 %. Other numbers of worlds take the greatest k with at least 90 %.
    ///
    /// - Parameter weights: at least 0, one for each share; equal ones by default.
    init(_ shares: [Double], weights: [Double]? = nil) {
        let weights = weights ?? [Double](repeating: 1, count: shares.count)
        let total = weights.reduce(0, +)
        share = total > 0 ? zip(shares, weights).reduce(0) { $0 + $1.0 * $1.1 } / total : 0
        let order = shares.indices.filter { weights[$0] > 0 }.sorted { shares[$0] < shares[$1] }
        // Weighted, the kth smallest is the last up to which the weights are at most 0.05 (count + 1) of their mean.
        let tail = 0.05 * total * Double(shares.count + 1) / Double(max(1, shares.count))
        low = Self.lastShare(order, shares, weights, within: tail)
        high = Self.lastShare(order.reversed(), shares, weights, within: tail)
    }

    /// The last share of an order up to which the weights are together at most `tail`; the first if its weight is more.
    private static func lastShare(
        _ order: [Int], _ shares: [Double], _ weights: [Double], within tail: Double
    ) -> Double {
        // Rounding must not leave out the world whose weight reaches the tail exactly.
        let limit = tail * (1 + 1e-9)
        var sum = 0.0
        var last = order.first
        for index in order {
            sum += weights[index]
            guard sum <= limit else { break }
            last = index
        }
        return last.map { shares[$0] } ?? 0
    }
}
