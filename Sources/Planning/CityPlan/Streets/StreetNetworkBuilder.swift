public import Simulation

/// A street as a file gives it: a line, and how much happens along each of its metres.
public struct StreetLine: Sendable {
    public let points: [Coordinates]
    /// 0 to 1,000.
    public let weight: Double

    public init(points: [Coordinates], weight: Double) {
        self.points = points
        self.weight = weight
    }
}

extension StreetNetwork {
    /// The network of the largest connected part of some streets. Streets cross where they share a point.
    ///
    /// - Parameters:
    ///   - source: the name of their file in errors.
    ///   - density: how much happens at a place, relative to others; 1 everywhere by default.
    /// - Throws: ``ScenarioError`` if there are no streets, too many, if they are too far apart for one city, or if more than a
    ///   fifth of them do not connect with the others.
    public init(
        _ lines: [StreetLine], source: String, density: (MapPoint) -> Double = { _ in 1 }
    ) throws(ScenarioError) {
        func refuse(_ problem: String) -> ScenarioError { ScenarioError(source: source, problem: problem) }
        var (south, north, west, east) = (90.0, -90.0, 180.0, -180.0)
        for point in lines.lazy.flatMap(\.points) {
            (south, north) = (min(south, point.latitude), max(north, point.latitude))
            (west, east) = (min(west, point.longitude), max(east, point.longitude))
        }
        guard south <= north else { throw refuse("has no streets: lines with the property ‘highway’ are streets") }
        let projection = Projection(centre: Coordinates(within: (south + north) / 2, (west + east) / 2))
        let (least, most) = (
            projection.point(Coordinates(within: south, west)), projection.point(Coordinates(within: north, east))
        )
        guard east <= 179 || west >= -179 else {
            throw refuse("its streets lie on both sides of the 180th meridian, so give one side only")
        }
        guard most.x - least.x <= 200_000, most.y - least.y <= 200_000 else {
            throw refuse("its streets are more than 200 km apart: extract one city first")
        }
        var draft = Draft(projection)
        draft.countUses(lines)
        for line in lines {
            draft.add(line)
            guard draft.metres <= Self.maximumKilometres * 1000 else {
                throw refuse("has more than \(Int(Self.maximumKilometres)) km of streets: extract one city first")
            }
            guard draft.crossings.count <= Self.maximumCrossings, draft.pieces.count <= Self.maximumPieces else {
                throw refuse("has more than \(Self.maximumPieces) pieces of street: extract one city first")
            }
        }
        guard let network = draft.connected(density) else {
            throw refuse("its streets do not connect two crossings")
        }
        let (used, rest) = (network.kilometres, network.kilometresLeftOut)
        guard rest <= Self.mostLeftOut * (used + rest) else {
            throw refuse(
                "\(Int(rest.rounded(.up))) of \(Int((used + rest).rounded(.up))) km of its streets do not connect with the "
                    + "others, but a plan needs streets that connect: streets must share a point where they meet, and an "
                    + "extract must contain the bridges; or extract the parts, and plan each")
        }
        self = network
    }
}

/// A network in the making.
private struct Draft {
    let projection: Projection
    var crossings: [MapPoint] = []
    var pieces: [StreetNetwork.Piece] = []
    private(set) var metres = 0.0
    private var pieceWeights: [Float] = []
    private var shape: [MapPoint] = []
    /// How often a point occurs, 2 for the ends of lines; then the crossing there, counted from −1 downwards.
    private var uses: [UInt64: Int32] = [:]

    /// A piece with more bends gets a crossing there, because to find a point on it takes as many steps.
    private static let maximumBends = 1000

    init(_ projection: Projection) { self.projection = projection }

    /// A point to the nearest 1 cm, so that equal points are equal.
    private func key(_ place: Coordinates) -> UInt64 {
        let latitude = Int32((place.latitude * 1e7).rounded())
        let longitude = Int32((place.longitude * 1e7).rounded())
        return UInt64(UInt32(bitPattern: latitude)) << 32 | UInt64(UInt32(bitPattern: longitude))
    }

    mutating func countUses(_ lines: [StreetLine]) {
        for line in lines {
            for (index, place) in line.points.enumerated() {
                let isEnd = index == 0 || index == line.points.count - 1
                let used = uses[key(place), default: 0]
                uses[key(place)] = min(2, used + (isEnd ? 2 : 1))
            }
        }
    }

    private mutating func crossing(_ key: UInt64, _ point: MapPoint) -> Int32? {
        guard let used = uses[key] else { return nil }
        if used < 0 { return -1 - used }
        guard used >= 2 else { return nil }
        let index = Int32(crossings.count)
        crossings.append(point)
        uses[key] = -1 - index
        return index
    }

    /// Splits a line at its crossings.
    mutating func add(_ line: StreetLine) {
        var from: Int32?
        var length = 0.0
        var before: MapPoint?
        var firstBend = Int32(shape.count)
        for place in line.points {
            let point = projection.point(place)
            let step = before.map { $0.distance(to: point) } ?? 0
            (before, length, metres) = (point, length + step, metres + step)
            if shape.count - Int(firstBend) >= Self.maximumBends, uses[key(place)] == 1 { uses[key(place)] = 2 }
            guard let crossing = crossing(key(place), point) else {
                shape.append(point)
                continue
            }
            if let from, from != crossing || length > 1 {
                pieces.append(
                    StreetNetwork.Piece(
                        from: from, to: crossing, length: Float(max(length, 0.1)),
                        bends: firstBend..<Int32(shape.count)))
                pieceWeights.append(Float(max(0, min(1000, line.weight)) * length))
            }
            (from, length, firstBend) = (crossing, 0, Int32(shape.count))
        }
    }

    /// The largest connected part; nil if it has no piece with a weight.
    func connected(_ density: (MapPoint) -> Double) -> StreetNetwork? {
        let (largest, parts) = components()
        var numbers = [Int32](repeating: -1, count: crossings.count)
        var kept: [MapPoint] = []
        for index in crossings.indices where parts[index] == largest {
            numbers[index] = Int32(kept.count)
            kept.append(crossings[index])
        }
        var keptPieces: [StreetNetwork.Piece] = []
        var weights = [Float](repeating: 0, count: kept.count)
        var leftOut = 0.0
        for (piece, weight) in zip(pieces, pieceWeights) {
            guard numbers[Int(piece.from)] >= 0 else {
                leftOut += Double(piece.length) / 1000
                continue
            }
            let (from, to) = (numbers[Int(piece.from)], numbers[Int(piece.to)])
            keptPieces.append(StreetNetwork.Piece(from: from, to: to, length: piece.length, bends: piece.bends))
            weights[Int(from)] += weight / 2
            weights[Int(to)] += weight / 2
        }
        for index in weights.indices { weights[index] *= Float(max(0, min(1e6, density(kept[index])))) }
        guard kept.count > 1, !keptPieces.isEmpty, weights.contains(where: { $0 > 0 }) else { return nil }
        return StreetNetwork(projection, kept, keptPieces, shape, weights, kilometresLeftOut: leftOut)
    }

    private func components() -> (largest: Int32, parts: [Int32]) {
        var parents = crossings.indices.map { Int32($0) }
        func root(_ index: Int32) -> Int32 {
            var index = index
            while parents[Int(index)] != index {
                parents[Int(index)] = parents[Int(parents[Int(index)])]
                index = parents[Int(index)]
            }
            return index
        }
        for piece in pieces {
            let (one, two) = (root(piece.from), root(piece.to))
            if one != two { parents[Int(max(one, two))] = min(one, two) }
        }
        let parts = crossings.indices.map { root(Int32($0)) }
        var sizes = [Int32](repeating: 0, count: crossings.count)
        for part in parts { sizes[Int(part)] += 1 }
        let largest = sizes.indices.max { (sizes[$0], $1) < (sizes[$1], $0) } ?? 0
        return (Int32(largest), parts)
    }
}

extension StreetNetwork {
    fileprivate init(
        _ projection: Projection, _ crossings: [MapPoint], _ pieces: [Piece], _ shape: [MapPoint], _ weights: [Float],
        kilometresLeftOut: Double
    ) {
        self.projection = projection
        self.kilometresLeftOut = kilometresLeftOut
        self.crossings = crossings
        self.pieces = pieces
        self.shape = shape
        self.weights = weights
        var first = [Int32](repeating: 0, count: crossings.count + 1)
        for piece in pieces {
            first[Int(piece.from) + 1] += 1
            first[Int(piece.to) + 1] += 1
        }
        for index in 1..<first.count { first[index] += first[index - 1] }
        var next = first
        var links = [Int32](repeating: 0, count: 2 * pieces.count)
        for (index, piece) in pieces.enumerated() {
            for crossing in [piece.from, piece.to] {
                links[Int(next[Int(crossing)])] = Int32(index)
                next[Int(crossing)] += 1
            }
        }
        firstLink = first
        self.links = links
    }
}
