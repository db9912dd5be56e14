import Glibc
public import Simulation

/// A city that was made up, for a trial without any file: streets, and places where a station could be.
public struct SyntheticCity: Sendable {
    /// The pattern of the streets.
    public enum Plan: String, CaseIterable, Codable, Sendable {
        /// Streets at right angles, 100 m apart.
        case grid
        /// Rings 300 m apart and radial streets.
        case rings
        /// A grid, and a river with a bridge every 1.5 km.
        case river
    }

    public let streets: StreetNetwork
    public let candidates: [Site]

    /// A city around 0° N 0° E. More happens near its middle: by a factor of e for each 36 % of a side.
    ///
    /// - Parameters:
    ///   - kilometres: the length of a side, 0.3 to 40.
    ///   - count: the number of candidates, 1 to 20,000.
    ///   - seed: decides where the candidates are.
    /// - Throws: ``ScenarioError``, as ``StreetNetwork``.
    public init(_ plan: Plan, kilometres: Double, candidates count: Int, seed: UInt64) throws(ScenarioError) {
        let side = max(0.3, min(40, kilometres)) * 1000
        let lines =
            switch plan {
            case .grid: Self.grid(side) { _ in true }
            case .river: Self.grid(side, isOpen: Self.isNoRiver(side))
            case .rings: Self.rings(side)
            }
        let decay = side * 0.36
        streets = try StreetNetwork(lines, source: plan.rawValue) {
            exp(-$0.distance(to: MapPoint(x: 0, y: 0)) / decay)
        }
        candidates = Self.places(max(1, min(PlanRequest.maximumSites, count)), in: streets, seed: seed)
    }

    private static let origin = Projection(centre: Coordinates(within: 0, 0))

    private static func line(_ points: [MapPoint]) -> StreetLine {
        StreetLine(points: points.map { origin.coordinates($0) }, weight: 1)
    }

    /// Streets at right angles, 100 m apart.
    ///
    /// - Parameter isOpen: whether streets to the north can cross a range of metres north of the middle without a bridge.
    private static func grid(_ side: Double, isOpen: (ClosedRange<Double>) -> Bool) -> [StreetLine] {
        let count = Int(side / 100)
        func at(_ index: Int) -> Double { Double(index) * 100 - side / 2 }
        var lines: [StreetLine] = []
        for row in 0...count {
            for column in 0..<count {
                lines.append(line([MapPoint(x: at(column), y: at(row)), MapPoint(x: at(column + 1), y: at(row))]))
            }
        }
        for column in 0...count {
            // Every 1.5 km.
            let isBridge = column % 15 == 7
            for row in 0..<count where isBridge || isOpen(at(row)...at(row + 1)) {
                lines.append(line([MapPoint(x: at(column), y: at(row)), MapPoint(x: at(column), y: at(row + 1))]))
            }
        }
        return lines
    }

    /// Whether the river, which flows from west to east somewhat north of the middle, is not in a range.
    private static func isNoRiver(_ side: Double) -> (ClosedRange<Double>) -> Bool {
        let river = side * 0.1
        return { !$0.contains(river) }
    }

    /// Rings 300 m apart and radial streets.
    private static func rings(_ side: Double) -> [StreetLine] {
        let count = max(1, Int(side / 600))
        func at(_ ring: Int, _ spoke: Int, _ spokes: Int) -> MapPoint {
            let angle = 2 * Double.pi * Double(spoke % spokes) / Double(spokes)
            return MapPoint(x: Double(ring) * 300 * cos(angle), y: Double(ring) * 300 * sin(angle))
        }
        // Enough spokes that streets are about 300 m apart in the middle of the way out.
        let spokes = max(8, min(96, count * 4))
        var lines: [StreetLine] = []
        for spoke in 0..<spokes {
            for ring in 0..<count {
                // Every second spoke begins at the third ring.
                guard ring > 2 || spoke % 2 == 0 else { continue }
                lines.append(line([at(ring, spoke, spokes), at(ring + 1, spoke, spokes)]))
            }
            for ring in 1...count {
                lines.append(line([at(ring, spoke, spokes), at(ring, spoke + 1, spokes)]))
            }
        }
        return lines
    }

    /// Places within 6 m east or west and north or south of the middle of a street, more where more happens.
    private static func places(_ count: Int, in streets: StreetNetwork, seed: UInt64) -> [Site] {
        var random = SplitMix64(seed: seed, stream: "candidates")
        let kinds = ["café", "bike shop", "petrol station", "garage"]
        var running: [Double] = []
        for weight in streets.weights { running.append((running.last ?? 0) + Double(weight)) }
        return (0..<count).map { number in
            let target = random.uniform() * (running.last ?? 0)
            let crossing = min(running.partitioningIndex { $0 > target }, running.count - 1)
            let links = streets.linkRange(at: Int32(crossing))
            let link = links.lowerBound + Int(random.next(below: UInt64(links.count)))
            let middle = streets.point(on: streets.links[link], at: random.uniform())
            let point = MapPoint(x: middle.x + 12 * random.uniform() - 6, y: middle.y + 12 * random.uniform() - 6)
            let kind = kinds[Int(random.next(below: UInt64(kinds.count)))]
            return Site(name: "\(kind) \(number + 1)", kind: kind, place: streets.projection.coordinates(point))
        }
    }
}

extension Array {
    /// The first index whose element is in the second part, if all that are not come before.
    fileprivate func partitioningIndex(_ isSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
