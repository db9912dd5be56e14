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

    private let city: City
    private let coverage: Coverage
    private var way: [Int32] = []
    private var back: [Int32] = []
    private var near: [(station: Int32, metres: Float, along: Float, piece: Int)] = []
    private(set) var length: Float = 0

    init(_ city: City, _ coverage: Coverage) {
        self.city = city
        self.coverage = coverage
    }

    /// The pieces of the last way.
    var pieces: [Int32] { way }

    /// Appends the stations that are passed from one crossing to another by an anchor, which is the nearest to the goal.
    ///
    /// - Parameter goal: nil if the way ends at the anchor.
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

    /// Pieces one after the other within reach of a station are one pass.
    private mutating func collect(_ passes: inout [Pass]) {
        length = 0
        near.removeAll(keepingCapacity: true)
        for (number, piece) in way.enumerated() {
            let metres = city.streets.pieces[Int(piece)].length
            let entries = coverage.entries(of: piece)
            if !entries.isEmpty {
                for index in entries { meet(coverage.entries[index], at: length + metres / 2, number) }
            }
            if !near.isEmpty { leave(before: number, &passes) }
            length += metres
        }
        leave(before: .max, &passes)
    }

    private mutating func meet(_ entry: Coverage.Entry, at along: Float, _ number: Int) {
        guard let index = near.firstIndex(where: { $0.station == entry.station }) else {
            near.append((entry.station, entry.metres, along, number))
            return
        }
        near[index].piece = number
        if entry.metres < near[index].metres { (near[index].metres, near[index].along) = (entry.metres, along) }
    }

    private mutating func leave(before number: Int, _ passes: inout [Pass]) {
        var index = 0
        while index < near.count {
            guard near[index].piece < number else {
                index += 1
                continue
            }
            let past = near[index]
            passes.append(Pass(station: past.station, step: Int32(past.metres * 2), along: past.along))
            near[index] = near[near.count - 1]
            near.removeLast()
        }
    }
}
