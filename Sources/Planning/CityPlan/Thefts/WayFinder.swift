/// Finds ways through the city, and the stations that are passed on them.
struct WayFinder {
    /// A station that is passed.
    struct Pass {
        let station: Int32
        /// The shortest distance in steps of half a metre.
        let step: Int32
        /// How far along the way it is nearest, in metres.
        let along: Float
    }

    /// A station that is being passed, on one piece of street after the other.
    private struct OpenPass {
        let station: Int32
        /// The shortest distance so far.
        var metres: Float
        /// How far along the way that is, in metres.
        var along: Float
        /// The number of the last piece within reach, counted along the way.
        var lastPiece: Int
    }

    private let city: City
    private let coverage: Coverage
    /// The pieces of the last way.
    private var way: [Int32] = []
    /// The pieces from the goal back to the anchor.
    private var back: [Int32] = []
    private var openPasses: [OpenPass] = []
    /// The length of the last way in metres.
    private(set) var length: Float = 0

    init(_ city: City, _ coverage: Coverage) {
        self.city = city
        self.coverage = coverage
    }

    /// Finds the way from one crossing to another, and appends the stations that are passed on it.
    ///
    /// - Parameters:
    ///   - anchor: the index of the anchor that the way goes through, the nearest to the goal.
    ///   - goal: nil if the way ends at the anchor.
    mutating func passes(from start: Int32, by anchor: Int32, to goal: Int32?, into passes: inout [Pass]) {
        way.removeAll(keepingCapacity: true)
        back.removeAll(keepingCapacity: true)
        walk(from: start, to: anchor, &way)
        if let goal { walk(from: goal, to: anchor, &back) }
        // What would be ridden to the anchor and back again is left out.
        while let one = way.last, let two = back.last, one == two {
            way.removeLast()
            back.removeLast()
        }
        way.append(contentsOf: back.reversed())
        collect(&passes)
    }

    private func walk(from start: Int32, to anchor: Int32, _ pieces: inout [Int32]) {
        var crossing = start
        while case let piece = city.routes.piece(towards: anchor, from: crossing), piece >= 0 {
            pieces.append(piece)
            crossing = city.streets.other(piece, than: crossing)
        }
    }

    /// Appends the passes of the way. Pieces one after the other within reach of a station are one pass.
    private mutating func collect(_ passes: inout [Pass]) {
        length = 0
        openPasses.removeAll(keepingCapacity: true)
        for (number, piece) in way.enumerated() {
            let metres = city.streets.pieces[Int(piece)].length
            let entries = coverage.entries(of: piece)
            if !entries.isEmpty {
                for index in entries { open(coverage.entries[index], at: length + metres / 2, on: number) }
            }
            if !openPasses.isEmpty { close(before: number, &passes) }
            length += metres
        }
        close(before: .max, &passes)
    }

    /// Begins or continues the pass of a station.
    private mutating func open(_ entry: Coverage.Entry, at along: Float, on piece: Int) {
        guard let index = openPasses.firstIndex(where: { $0.station == entry.station }) else {
            openPasses.append(
                OpenPass(station: entry.station, metres: entry.metres, along: along, lastPiece: piece))
            return
        }
        openPasses[index].lastPiece = piece
        if entry.metres < openPasses[index].metres {
            openPasses[index].metres = entry.metres
            openPasses[index].along = along
        }
    }

    /// Ends the passes whose last piece comes before this one.
    private mutating func close(before piece: Int, _ passes: inout [Pass]) {
        var index = 0
        while index < openPasses.count {
            let pass = openPasses[index]
            guard pass.lastPiece < piece else {
                index += 1
                continue
            }
            passes.append(Pass(station: pass.station, step: Int32(pass.metres * 2), along: pass.along))
            openPasses[index] = openPasses[openPasses.count - 1]
            openPasses.removeLast()
        }
    }
}
