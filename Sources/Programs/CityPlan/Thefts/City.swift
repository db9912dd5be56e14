/// A city as the simulation sees it: streets, routes, and where bikes are stolen.
public struct City: Sendable {
    public let streets: StreetNetwork
    let routes: Routes
    let index: PieceIndex
    /// The running sums of the thefts at each crossing.
    private let thefts: [Double]
    /// The number of places of thefts that are used.
    public let theftPlaces: Int

    /// - Parameters:
    ///   - thefts: where bikes are stolen; by the weight of the streets if none is used. Places more than 2 km from any
    ///     street, and those without thefts, are not used.
    ///   - seed: decides between which crossings journeys are possible.
    public init(_ streets: StreetNetwork, thefts places: [TheftPlace] = [], seed: UInt64) async throws {
        self.streets = streets
        index = PieceIndex(streets, side: 200)
        routes = try await Routes(streets, seed: seed)
        var weights = [Double](repeating: 0, count: streets.crossings.count)
        var used = 0
        for theft in places where theft.weight > 0 {
            let point = streets.projection.point(theft.place)
            guard let nearest = index.nearest(to: point) else { continue }
            used += 1
            let piece = streets.pieces[Int(nearest)]
            let isFrom =
                point.distance(to: streets.crossings[Int(piece.from)])
                <= point.distance(to: streets.crossings[Int(piece.to)])
            weights[Int(isFrom ? piece.from : piece.to)] += max(0, min(1e9, theft.weight))
        }
        theftPlaces = used
        if used == 0 { weights = streets.weights.map(Double.init) }
        var sum = 0.0
        thefts = weights.map {
            sum += $0
            return sum
        }
    }

    /// How many of some places are within 2 km of a street.
    public func near(_ sites: [Site]) -> Int {
        sites.count { index.nearest(to: streets.projection.point($0.place)) != nil }
    }

    /// The crossing of a theft.
    ///
    /// - Parameter share: 0 ..< 1.
    func theft(at share: Double) -> Int32 {
        let target = share * thefts[thefts.count - 1]
        var (low, high) = (0, thefts.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if thefts[middle] > target { high = middle } else { low = middle + 1 }
        }
        return Int32(low)
    }

    /// Where stations at some places could hear bikes.
    func coverage(of sites: [Site], reach: Double) async throws -> Coverage {
        try await Coverage(
            of: sites.map { streets.projection.point($0.place) }, in: streets, index: index, reach: reach)
    }
}
