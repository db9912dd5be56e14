import Simulation
import Synchronization

/// Which stations could hear a bike on each piece of street.
struct Coverage: Sendable {
    /// A station near a piece.
    struct Entry: Sendable {
        let station: Int32
        /// The shortest distance from the piece to the station, in metres.
        let metres: Float
    }

    /// For each station its place.
    let points: [MapPoint]
    /// For each station what its chances are drawn by: its place, and its number among those at the same place.
    let keys: [UInt64]
    /// For each piece the index of its first entry, and one more at the end.
    let first: [Int32]
    let entries: [Entry]

    /// The most entries, for memory. 5,000 places in a dense city have about a million.
    static let maximumEntries = 30_000_000
    /// The most places around one piece: a pass takes as many steps as the square of this.
    private static let maximumAround: Int32 = 1000

    /// - Parameters:
    ///   - reach: the distance in metres up to which a station is considered.
    ///   - most: the maximum number of entries.
    /// - Throws: ``ScenarioError`` if there are too many pieces of street around the places; `CancellationError`.
    init(
        of points: [MapPoint], in network: StreetNetwork, index: PieceIndex, reach: Double,
        most: Int = Coverage.maximumEntries
    ) async throws {
        self.points = points
        var numbers: [MapPoint: UInt64] = [:]
        keys = points.map { point in
            let number = numbers[point, default: 0]
            numbers[point] = number + 1
            return SplitMix64.mix(SplitMix64.mix(point.x.bitPattern) ^ point.y.bitPattern) &+ number
        }
        let total = Atomic(0)
        let near = try await parallel(points.count) { number -> [(piece: Int32, metres: Double)] in
            guard total.load(ordering: .relaxed) <= most else { return [] }
            let pieces = index.pieces(within: reach, of: points[number])
            total.add(pieces.count, ordering: .relaxed)
            return pieces
        }
        guard total.load(ordering: .relaxed) <= most else {
            throw ScenarioError(
                source: "places",
                problem: "too many pieces of street are around the \(points.count) places: give fewer places")
        }
        var first = [Int32](repeating: 0, count: network.pieces.count + 1)
        for (piece, _) in near.joined() { first[Int(piece) + 1] += 1 }
        guard (first.max() ?? 0) <= Self.maximumAround else {
            throw ScenarioError(
                source: "places", problem: "more than \(Self.maximumAround) are around one street: give fewer places")
        }
        for index in 1..<first.count { first[index] += first[index - 1] }
        var next = first
        var entries = [Entry](repeating: Entry(station: 0, metres: 0), count: Int(first[first.count - 1]))
        for (station, pieces) in near.enumerated() {
            for (piece, metres) in pieces {
                entries[Int(next[Int(piece)])] = Entry(station: Int32(station), metres: Float(metres))
                next[Int(piece)] += 1
            }
        }
        (self.first, self.entries) = (first, entries)
    }

    /// The stations near a piece, as indices of ``entries``.
    @inline(__always)
    func entries(of piece: Int32) -> Range<Int> { Int(first[Int(piece)])..<Int(first[Int(piece) + 1]) }
}
