/// The streets of a city as a connected graph: crossings, and the pieces of street between them, used in both directions.
public struct StreetNetwork: Sendable {
    /// A piece of street between two crossings.
    struct Piece: Sendable {
        let from: Int32
        let to: Int32
        /// In metres.
        let length: Float
        /// Its points between the crossings, as a range of ``shape``.
        let bends: Range<Int32>
    }

    /// The limits of a network, for memory: 2 million crossings suffice for the largest cities.
    static let maximumCrossings = 2_000_000
    static let maximumPieces = 4_000_000
    /// The Netherlands have about 250,000 km of streets and paths.
    static let maximumKilometres = 1_000_000.0
    /// The most that may not connect with the rest, as a share of the length of all streets.
    static let maximumLeftOut = 0.2

    public let projection: Projection
    let crossings: [MapPoint]
    let pieces: [Piece]
    /// The bends of all pieces.
    let shape: [MapPoint]
    /// For each crossing the index of its first link in ``links``, and one more at the end.
    let firstLink: [Int32]
    /// The pieces at each crossing, as indices of ``pieces``. A piece that begins and ends at the same crossing is there
    /// twice.
    let links: [Int32]
    /// How much happens around each crossing: homes, thefts, destinations. Above zero for at least one.
    let weights: [Float]
    /// The length of the streets of the file that do not connect with these, in kilometres. They are not part of the
    /// network.
    public let kilometresLeftOut: Double

    /// The total length of the streets in kilometres.
    public var kilometres: Double { pieces.reduce(0) { $0 + Double($1.length) } / 1000 }
    public var crossingCount: Int { crossings.count }
    public var pieceCount: Int { pieces.count }

    /// The south-western and north-eastern corners of the smallest rectangle with all crossings.
    public var bounds: (south: MapPoint, north: MapPoint) {
        var (south, north) = (crossings[0], crossings[0])
        for point in crossings {
            south = MapPoint(x: min(south.x, point.x), y: min(south.y, point.y))
            north = MapPoint(x: max(north.x, point.x), y: max(north.y, point.y))
        }
        return (south, north)
    }

    /// The links of a crossing, as indices of ``links``.
    @inline(__always)
    func linkRange(at crossing: Int32) -> Range<Int> {
        Int(firstLink[Int(crossing)])..<Int(firstLink[Int(crossing) + 1])
    }

    /// The crossing at the other end of a piece.
    @inline(__always)
    func other(_ piece: Int32, than crossing: Int32) -> Int32 {
        let piece = pieces[Int(piece)]
        return piece.from == crossing ? piece.to : piece.from
    }

    /// The points of a piece, from one crossing to the other.
    func points(of piece: Piece) -> [MapPoint] {
        [crossings[Int(piece.from)]] + shape[Int(piece.bends.lowerBound)..<Int(piece.bends.upperBound)]
            + [crossings[Int(piece.to)]]
    }

    /// The shortest distance in metres.
    func distance(from point: MapPoint, to piece: Piece) -> Double {
        var nearest = Double.infinity
        var before = crossings[Int(piece.from)]
        for bend in piece.bends {
            let next = shape[Int(bend)]
            nearest = min(nearest, point.distance(toLineFrom: before, to: next))
            before = next
        }
        return min(nearest, point.distance(toLineFrom: before, to: crossings[Int(piece.to)]))
    }

    /// A point on a piece, at a share of the way, 0 to 1.
    func point(on index: Int32, at share: Double) -> MapPoint {
        let piece = pieces[Int(index)]
        var rest = share * Double(piece.length)
        var before = crossings[Int(piece.from)]
        for bend in piece.bends {
            let next = shape[Int(bend)]
            let length = before.distance(to: next)
            if rest <= length { return Self.between(before, next, length > 0 ? rest / length : 0) }
            rest -= length
            before = next
        }
        let last = crossings[Int(piece.to)]
        let length = before.distance(to: last)
        return Self.between(before, last, length > 0 ? min(1, rest / length) : 0)
    }

    private static func between(_ one: MapPoint, _ two: MapPoint, _ share: Double) -> MapPoint {
        MapPoint(x: one.x + (two.x - one.x) * share, y: one.y + (two.y - one.y) * share)
    }
}
