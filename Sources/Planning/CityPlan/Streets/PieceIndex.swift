/// Finds the pieces of street near a point, by squares.
struct PieceIndex: Sendable {
    private let network: StreetNetwork
    /// The side of a square in metres.
    private let side: Double
    /// The south-western corner of the first square.
    private let south: MapPoint
    private let columns: Int
    private let rows: Int
    /// For each square, row by row, the index of its first entry, and one more at the end.
    private let first: [Int32]
    /// The pieces that touch each square. A piece can be in a square twice.
    private let entries: [Int32]

    /// - Parameter side: the side of a square in metres, about the distances that will be asked for.
    init(_ network: StreetNetwork, side wanted: Double) {
        self.network = network
        let (south, north) = network.bounds
        // At most a million squares, however large the city.
        let smallestSide = max(north.x - south.x, north.y - south.y) / 1000
        let side = max(wanted, smallestSide, 1)
        (self.south, self.side) = (south, side)
        let columns = Int((north.x - south.x) / side) + 1
        let rows = Int((north.y - south.y) / side) + 1
        (self.columns, self.rows) = (columns, rows)
        var counts = [Int32](repeating: 0, count: columns * rows + 1)
        // Passes on each square with each piece in it.
        func visit(_ body: (_ square: Int, _ piece: Int32) -> Void) {
            for (index, piece) in network.pieces.enumerated() {
                var last = -1
                for (start, end) in Self.parts(network.points(of: piece), side) {
                    let (west, east) = (min(start.x, end.x) - south.x, max(start.x, end.x) - south.x)
                    let (low, high) = (min(start.y, end.y) - south.y, max(start.y, end.y) - south.y)
                    for row in Self.range(low, high, side, rows) {
                        for column in Self.range(west, east, side, columns) where row * columns + column != last {
                            last = row * columns + column
                            body(last, Int32(index))
                        }
                    }
                }
            }
        }
        visit { square, _ in counts[square + 1] += 1 }
        for index in 1..<counts.count { counts[index] += counts[index - 1] }
        var next = counts
        var entries = [Int32](repeating: 0, count: Int(counts[counts.count - 1]))
        visit { square, piece in
            entries[Int(next[square])] = piece
            next[square] += 1
        }
        (first, self.entries) = (counts, entries)
    }

    /// The parts of a line, none longer than a side, so that each lies in at most four squares.
    private static func parts(_ points: [MapPoint], _ side: Double) -> [(MapPoint, MapPoint)] {
        zip(points, points.dropFirst()).flatMap { start, end in
            let count = max(1, Int((start.distance(to: end) / side).rounded(.up)))
            let cuts = (0...count).map { cut in
                let share = Double(cut) / Double(count)
                return MapPoint(x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
            }
            return Array(zip(cuts, cuts.dropFirst()))
        }
    }

    /// The rows or columns, of so many, from one distance to another. What lies outside belongs to the first or last.
    private static func range(_ low: Double, _ high: Double, _ side: Double, _ count: Int) -> ClosedRange<Int> {
        let last = Double(count - 1)
        let from = Int(max(0, min(last, (low / side).rounded(.down))))
        return from...max(from, Int(max(0, min(last, (high / side).rounded(.down)))))
    }

    /// The pieces up to a distance from a point, in ascending order, with their distances.
    func pieces(within metres: Double, of point: MapPoint) -> [(piece: Int32, metres: Double)] {
        var found: Set<Int32> = []
        for row in Self.range(point.y - metres - south.y, point.y + metres - south.y, side, rows) {
            for column in Self.range(point.x - metres - south.x, point.x + metres - south.x, side, columns) {
                let square = row * columns + column
                found.formUnion(entries[Int(first[square])..<Int(first[square + 1])])
            }
        }
        return found.sorted().compactMap { piece in
            let distance = network.distance(from: point, to: network.pieces[Int(piece)])
            return distance <= metres ? (piece, distance) : nil
        }
    }

    /// The nearest piece; nil if none is within 2 km.
    func nearest(to point: MapPoint) -> Int32? {
        // Wider and wider circles, of which the last has at least 2 km.
        let farthest = 2000.0
        var metres = side
        while metres <= 2 * farthest {
            let near = pieces(within: min(metres, farthest), of: point)
            if let nearest = near.min(by: { $0.metres < $1.metres }) { return nearest.piece }
            metres *= 2
        }
        return nil
    }
}
