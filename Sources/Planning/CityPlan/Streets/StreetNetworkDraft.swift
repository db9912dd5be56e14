/// A network while it is built from lines: first all points are counted, and then lines are added one after another.
struct StreetNetworkDraft {
    /// What is known of a point: how many streets use it, or the crossing that it has become.
    private struct PointUse {
        /// The number of uses, 1 or 2 for more; for a crossing −1 minus its index. A single number, because a city has
        /// millions of points.
        private var number: Int32 = 0

        /// The index of the crossing at the point; nil if there is none yet.
        var crossing: Int32? { number < 0 ? -1 - number : nil }
        /// Whether the point must become a crossing.
        var needsCrossing: Bool { number >= 2 }

        /// - Parameter isEnd: whether a line begins or ends at the point. A street that ends has a crossing there.
        mutating func count(isEnd: Bool) { number = min(2, number + (isEnd ? 2 : 1)) }

        /// Makes the point of a single street become a crossing, too.
        mutating func requireCrossing() { if number == 1 { number = 2 } }

        mutating func become(crossing: Int32) { number = -1 - crossing }
    }

    let projection: Projection
    private(set) var crossings: [MapPoint] = []
    private(set) var pieces: [StreetNetwork.Piece] = []
    /// The length of all lines so far, in metres.
    private(set) var metres = 0.0
    /// For each piece its line's weight times its length in metres.
    private var pieceWeights: [Float] = []
    private var shape: [MapPoint] = []
    private var uses: [UInt64: PointUse] = [:]

    /// A piece with more bends gets a crossing there, because to find a point on it takes as many steps.
    private static let maximumBends = 1000

    init(_ projection: Projection) { self.projection = projection }

    /// A point to the nearest 1 cm, so that equal points are equal.
    private static func key(_ place: Coordinates) -> UInt64 {
        let latitude = Int32((place.latitude * 1e7).rounded())
        let longitude = Int32((place.longitude * 1e7).rounded())
        return UInt64(UInt32(bitPattern: latitude)) << 32 | UInt64(UInt32(bitPattern: longitude))
    }

    /// Counts how many lines use each point. Must be called once with all lines, before any of them is added.
    mutating func countUses(_ lines: [StreetLine]) {
        for line in lines {
            for (index, place) in line.points.enumerated() {
                let isEnd = index == 0 || index == line.points.count - 1
                uses[Self.key(place), default: PointUse()].count(isEnd: isEnd)
            }
        }
    }

    /// Splits a line at its crossings, and adds the pieces.
    mutating func add(_ line: StreetLine) {
        let weight = max(0, min(1000, line.weight))
        var from: Int32?
        var length = 0.0
        var previous: MapPoint?
        var firstBend = Int32(shape.count)
        for place in line.points {
            let point = projection.point(place)
            let key = Self.key(place)
            let step = previous.map { $0.distance(to: point) } ?? 0
            previous = point
            length += step
            metres += step
            if shape.count - Int(firstBend) >= Self.maximumBends { uses[key]?.requireCrossing() }
            guard let crossing = crossing(key, at: point) else {
                shape.append(point)
                continue
            }
            // A loop of at most 1 m is no street, but an inaccuracy of the file.
            if let from, from != crossing || length > 1 {
                pieces.append(
                    StreetNetwork.Piece(
                        from: from, to: crossing, length: Float(max(length, 0.1)),
                        bends: firstBend..<Int32(shape.count)))
                pieceWeights.append(Float(weight * length))
            }
            from = crossing
            length = 0
            firstBend = Int32(shape.count)
        }
    }

    /// The index of the crossing at a point, which is added if need be; nil if the street only bends there.
    private mutating func crossing(_ key: UInt64, at point: MapPoint) -> Int32? {
        guard let use = uses[key] else { return nil }
        if let crossing = use.crossing { return crossing }
        guard use.needsCrossing else { return nil }
        let crossing = Int32(crossings.count)
        crossings.append(point)
        uses[key]?.become(crossing: crossing)
        return crossing
    }

    /// The largest connected part; nil if it has no piece with a weight.
    ///
    /// - Parameter density: how much happens at a place, 0 to 1,000,000, relative to others.
    func largestPart(density: (MapPoint) -> Double) -> StreetNetwork? {
        let isKept = largestComponent()
        var numbers = [Int32](repeating: -1, count: crossings.count)
        var kept: [MapPoint] = []
        for index in crossings.indices where isKept[index] {
            numbers[index] = Int32(kept.count)
            kept.append(crossings[index])
        }
        var keptPieces: [StreetNetwork.Piece] = []
        var weights = [Float](repeating: 0, count: kept.count)
        var kilometresLeftOut = 0.0
        for (piece, weight) in zip(pieces, pieceWeights) {
            let from = numbers[Int(piece.from)]
            let to = numbers[Int(piece.to)]
            guard from >= 0 else {
                kilometresLeftOut += Double(piece.length) / 1000
                continue
            }
            keptPieces.append(StreetNetwork.Piece(from: from, to: to, length: piece.length, bends: piece.bends))
            weights[Int(from)] += weight / 2
            weights[Int(to)] += weight / 2
        }
        for index in weights.indices { weights[index] *= Float(max(0, min(1e6, density(kept[index])))) }
        guard kept.count > 1, !keptPieces.isEmpty, weights.contains(where: { $0 > 0 }) else { return nil }
        return StreetNetwork(
            projection, crossings: kept, pieces: keptPieces, shape: shape, weights: weights,
            kilometresLeftOut: kilometresLeftOut)
    }

    /// For each crossing whether it is in the connected component with the most crossings.
    private func largestComponent() -> [Bool] {
        var components = DisjointSets(count: crossings.count)
        for piece in pieces { components.join(piece.from, piece.to) }
        let roots = crossings.indices.map { components.root(of: Int32($0)) }
        var sizes = [Int](repeating: 0, count: crossings.count)
        for root in roots { sizes[Int(root)] += 1 }
        var largest = 0
        for index in sizes.indices where sizes[index] > sizes[largest] { largest = index }
        return roots.map { $0 == largest }
    }
}

/// Disjoint sets of crossings (union–find with path halving). The root of a set is its smallest member.
private struct DisjointSets {
    private var parents: [Int32]

    /// - Parameter count: the number of sets, each with one member: 0 up to this number.
    init(count: Int) { parents = Array(0..<Int32(count)) }

    mutating func root(of member: Int32) -> Int32 {
        var member = member
        while parents[Int(member)] != member {
            parents[Int(member)] = parents[Int(parents[Int(member)])]
            member = parents[Int(member)]
        }
        return member
    }

    mutating func join(_ one: Int32, _ other: Int32) {
        let first = root(of: one)
        let second = root(of: other)
        if first != second { parents[Int(max(first, second))] = min(first, second) }
    }
}

extension StreetNetwork {
    fileprivate init(
        _ projection: Projection, crossings: [MapPoint], pieces: [Piece], shape: [MapPoint], weights: [Float],
        kilometresLeftOut: Double
    ) {
        self.projection = projection
        self.kilometresLeftOut = kilometresLeftOut
        self.crossings = crossings
        self.pieces = pieces
        self.shape = shape
        self.weights = weights
        // The pieces at each crossing, as compressed sparse rows: counted, summed up, and filled in.
        var firstLink = [Int32](repeating: 0, count: crossings.count + 1)
        for piece in pieces {
            firstLink[Int(piece.from) + 1] += 1
            firstLink[Int(piece.to) + 1] += 1
        }
        for index in 1..<firstLink.count { firstLink[index] += firstLink[index - 1] }
        var next = firstLink
        var links = [Int32](repeating: 0, count: 2 * pieces.count)
        for (index, piece) in pieces.enumerated() {
            for crossing in [piece.from, piece.to] {
                links[Int(next[Int(crossing)])] = Int32(index)
                next[Int(crossing)] += 1
            }
        }
        self.firstLink = firstLink
        self.links = links
    }
}
