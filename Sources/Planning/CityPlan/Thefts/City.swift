/// A city as the simulation sees it: streets, routes, and where bikes are stolen.
public struct City: Sendable {
    public let streets: StreetNetwork
    let routes: Routes
    let index: PieceIndex
    /// For each crossing the sum of the thefts there and at all crossings before it.
    private let thefts: [Double]
    /// The number of places of thefts that are used; 0 if thefts are spread by the weight of the streets.
    public let theftPlaces: Int

    /// Finds the routes, and the crossings of the thefts.
    ///
    /// - Parameters:
    ///   - thefts: where bikes are stolen; by the weight of the streets if none is used. Places more than 2 km from any
    ///     street, and those without thefts, are not used.
    ///   - seed: decides between which crossings journeys are possible.
    ///   - progress: called from any thread.
    /// - Throws: `CancellationError`.
    public init(
        _ streets: StreetNetwork, thefts places: [TheftPlace] = [], seed: UInt64,
        progress: @Sendable (CityPlanner.Progress) -> Void = { _ in }
    ) async throws {
        self.streets = streets
        index = PieceIndex(streets, side: 200)
        routes = try await Routes(streets, seed: seed)
        var weights = [Double](repeating: 0, count: streets.crossings.count)
        var used = 0
        let crossings = try await Self.crossings(near: places, in: streets, index, progress)
        for (theft, crossing) in zip(places, crossings) where theft.weight > 0 {
            guard let crossing else { continue }
            used += 1
            weights[Int(crossing)] += max(0, min(1e9, theft.weight))
        }
        theftPlaces = used
        if used == 0 { weights = streets.weights.map(Double.init) }
        var sum = 0.0
        thefts = weights.map {
            sum += $0
            return sum
        }
    }

    /// The crossing of each theft: of the nearest piece of street, the nearer end; nil if none is within 2 km.
    private static func crossings(
        near thefts: [TheftPlace], in streets: StreetNetwork, _ index: PieceIndex,
        _ progress: @Sendable (CityPlanner.Progress) -> Void
    ) async throws -> [Int32?] {
        let partSize = 1000
        let parts = (thefts.count + partSize - 1) / partSize
        return try await parallel(
            parts, done: { progress(CityPlanner.Progress(activity: "placing thefts", done: $0, of: parts)) }
        ) { number -> [Int32?] in
            let start = number * partSize
            return thefts[start..<min(thefts.count, start + partSize)].map { theft -> Int32? in
                let point = streets.projection.point(theft.place)
                guard let nearest = index.nearest(to: point) else { return nil }
                let piece = streets.pieces[Int(nearest)]
                let isFrom =
                    point.distance(to: streets.crossings[Int(piece.from)])
                    <= point.distance(to: streets.crossings[Int(piece.to)])
                return isFrom ? piece.from : piece.to
            }
        }.flatMap(\.self)
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
    ///
    /// - Parameter reach: the distance in metres up to which a station is considered.
    func coverage(of sites: [Site], reach: Double) async throws -> Coverage {
        try await Coverage(
            of: sites.map { streets.projection.point($0.place) }, in: streets, index: index, reach: reach)
    }
}
