import Simulation

/// Shortest routes from every crossing to some anchors: the crossings where journeys begin and end.
///
/// Only the next piece of street is kept, 4 bytes for each crossing and anchor. Each crossing belongs to the cell of its
/// nearest anchor (a Voronoi diagram of the network), so a journey between any two crossings goes by the anchor of one of
/// them.
struct Routes: Sendable {
    /// The memory for the next pieces, in bytes: 256 MiB.
    private static let maximumMemory = 256 << 20

    /// The anchors as indices of crossings. Everywhere else, an anchor or a cell is an index of this array.
    let anchors: [Int32]
    /// For each anchor and crossing the piece towards the anchor; −1 at the anchor.
    let next: [Int32]
    /// For each pair of anchors the metres between them.
    let metres: [Float]
    /// For each crossing its nearest anchor, as an index.
    let cell: [Int32]
    /// The crossings in the order of their cells.
    let members: [Int32]
    /// For each cell the index of its first crossing in ``members``, and one more at the end.
    let firstMember: [Int32]
    /// For each entry of ``members`` the sum of the weights in its cell up to it.
    let runningWeight: [Float]
    /// The weight of each cell.
    let cellWeight: [Float]
    /// Anchors at the edge of the city, where bikes leave it: a tenth of all, those farthest from the middle.
    let gates: [Int32]
    /// The number of crossings.
    private let crossings: Int

    /// Finds the routes.
    ///
    /// - Parameter wanted: the number of anchors, if the memory suffices.
    /// - Throws: `CancellationError`.
    init(_ network: StreetNetwork, seed: UInt64, wanted: Int = 256) async throws {
        let count = network.crossings.count
        crossings = count
        let mostAnchors = max(16, Self.maximumMemory / 4 / count)
        let anchors = Self.anchors(min(wanted, mostAnchors, count), in: network, seed: seed)
        let trees = try await parallel(anchors.count) { Self.tree(to: anchors[$0], in: network) }
        var next: [Int32] = []
        next.reserveCapacity(anchors.count * count)
        var metres: [Float] = []
        var nearest = [Float](repeating: .infinity, count: count)
        var cell = [Int32](repeating: 0, count: count)
        for (index, tree) in trees.enumerated() {
            next += tree.next
            metres += anchors.map { tree.metres[Int($0)] }
            for crossing in 0..<count where tree.metres[crossing] < nearest[crossing] {
                nearest[crossing] = tree.metres[crossing]
                cell[crossing] = Int32(index)
            }
        }
        (self.anchors, self.next, self.metres, self.cell) = (anchors, next, metres, cell)
        var first = [Int32](repeating: 0, count: anchors.count + 1)
        for anchor in cell { first[Int(anchor) + 1] += 1 }
        for index in 1..<first.count { first[index] += first[index - 1] }
        var place = first
        var members = [Int32](repeating: 0, count: count)
        for crossing in 0..<count {
            members[Int(place[Int(cell[crossing])])] = Int32(crossing)
            place[Int(cell[crossing])] += 1
        }
        var running = [Float](repeating: 0, count: count)
        var weights = [Float](repeating: 0, count: anchors.count)
        for anchor in anchors.indices {
            for index in Int(first[anchor])..<Int(first[anchor + 1]) {
                weights[anchor] += network.weights[Int(members[index])]
                running[index] = weights[anchor]
            }
        }
        (self.members, firstMember, runningWeight, cellWeight) = (members, first, running, weights)
        let middle = MapPoint(
            x: (network.bounds.south.x + network.bounds.north.x) / 2,
            y: (network.bounds.south.y + network.bounds.north.y) / 2)
        let outward = anchors.indices.sorted {
            let one = network.crossings[Int(anchors[$0])].distance(to: middle)
            let two = network.crossings[Int(anchors[$1])].distance(to: middle)
            return one == two ? $0 < $1 : one > two
        }
        gates = outward.prefix(max(1, anchors.count / 10)).map { Int32($0) }
    }

    /// The next piece on the way to an anchor; −1 if the crossing is the anchor.
    @inline(__always)
    func piece(towards anchor: Int32, from crossing: Int32) -> Int32 {
        next[Int(anchor) * crossings + Int(crossing)]
    }

    /// A crossing of a cell by weight.
    ///
    /// - Parameter share: 0 ..< 1, drawn at random.
    func member(of cell: Int32, at share: Double) -> Int32 {
        let range = Int(firstMember[Int(cell)])..<Int(firstMember[Int(cell) + 1])
        guard !range.isEmpty else { return anchors[Int(cell)] }
        let target = Float(share) * cellWeight[Int(cell)]
        var (low, high) = (range.lowerBound, range.upperBound - 1)
        while low < high {
            let middle = (low + high) / 2
            if runningWeight[middle] > target { high = middle } else { low = middle + 1 }
        }
        return members[low]
    }

    /// Crossings drawn by weight, without repetition (Efraimidis, Spirakis, “Weighted random sampling with a reservoir”,
    /// 2006).
    private static func anchors(_ count: Int, in network: StreetNetwork, seed: UInt64) -> [Int32] {
        var random = SplitMix64(seed: seed, stream: "anchors")
        var keys: [(key: Double, crossing: Int32)] = []
        for (crossing, weight) in network.weights.enumerated() {
            let exponential = random.exponential()
            keys.append((weight > 0 ? exponential / Double(weight) : .infinity, Int32(crossing)))
        }
        keys.sort { $0.key == $1.key ? $0.crossing < $1.crossing : $0.key < $1.key }
        return keys.prefix(count).map(\.crossing).sorted()
    }

    /// A crossing that may be reached over a shorter way than before.
    private struct Reached: Comparable, Sendable {
        /// The length of the way from the root.
        let metres: Float
        let crossing: Int32

        static func < (left: Reached, right: Reached) -> Bool {
            left.metres == right.metres ? left.crossing < right.crossing : left.metres < right.metres
        }
    }

    /// Dijkstra’s shortest paths to one crossing: for each crossing the next piece and the distance.
    private static func tree(to root: Int32, in network: StreetNetwork) -> (next: [Int32], metres: [Float]) {
        var next = [Int32](repeating: -1, count: network.crossings.count)
        var metres = [Float](repeating: .infinity, count: network.crossings.count)
        metres[Int(root)] = 0
        var queue = MinHeap<Reached>()
        queue.insert(Reached(metres: 0, crossing: root))
        while let nearest = queue.removeFirst() {
            // A shorter way to it was found later.
            guard nearest.metres <= metres[Int(nearest.crossing)] else { continue }
            for link in network.linkRange(at: nearest.crossing) {
                let piece = network.links[link]
                let other = network.other(piece, than: nearest.crossing)
                let distance = nearest.metres + network.pieces[Int(piece)].length
                guard distance < metres[Int(other)] else { continue }
                metres[Int(other)] = distance
                next[Int(other)] = piece
                queue.insert(Reached(metres: distance, crossing: other))
            }
        }
        return (next, metres)
    }
}
