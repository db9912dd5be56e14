/// Which stations could hear a bike on each piece of street.
struct Coverage: Sendable {
    struct Entry: Sendable {
        let station: Int32
        /// The shortest distance from the piece to the station, in metres.
        let metres: Float
    }

    let points: [MapPoint]
    /// For each piece the index of its first entry, and one more at the end.
    let first: [Int32]
    let entries: [Entry]

    /// - Parameter reach: the distance in metres up to which a station is considered.
    init(of points: [MapPoint], in network: StreetNetwork, index: PieceIndex, reach: Double) async throws {
        self.points = points
        let near = try await parallel(points.count) { index.pieces(within: reach, of: points[$0]) }
        var first = [Int32](repeating: 0, count: network.pieces.count + 1)
        for (piece, _) in near.joined() { first[Int(piece) + 1] += 1 }
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

    @inline(__always)
    func entries(of piece: Int32) -> Range<Int> { Int(first[Int(piece)])..<Int(first[Int(piece) + 1]) }
}
