import Simulation
import Testing

@testable import CityPlan

@Suite("Streets")
struct StreetTests {
    private func line(_ points: [(Double, Double)]) -> StreetLine {
        StreetLine(points: points.map { Coordinates(within: $0.1 / 1000, $0.0 / 1000) }, weight: 1)
    }

    @Test("cross where they share a point, and bends are no crossings")
    func crossings() throws {
        let network = try StreetNetwork(
            [line([(0, 0), (1, 0.5), (2, 0), (4, 0)]), line([(2, -2), (2, 0), (2, 2)])], source: "map")
        #expect(network.crossingCount == 5)
        #expect(network.pieceCount == 4)
    }

    @Test("a line of thousands of bends is cut")
    func bends() throws {
        let network = try StreetNetwork([line((0..<3500).map { (Double($0) / 1000, 0) })], source: "map")
        #expect(network.crossingCount == 5 && network.pieces.allSatisfy { $0.bends.count <= 1000 })
    }

    @Test("the largest connected part remains, what is left out is counted, and more than a fifth is refused")
    func island() throws {
        let town = [line([(0, 0), (1, 0)]), line([(1, 0), (2, 0)])]
        let network = try StreetNetwork(town + [line([(50, 50), (50.4, 50)])], source: "map")
        #expect(network.crossingCount == 3)
        #expect(network.pieceCount == 2)
        #expect(abs(network.kilometres - 0.2224) < 0.001)
        #expect(abs(network.kilometresLeftOut - 0.0445) < 0.001)
        let error = #expect(throws: ScenarioError.self) {
            try StreetNetwork(town + [line([(50, 50), (51, 50)])], source: "map")
        }
        #expect(error?.problem.contains("1 of 1 km of its streets do not connect") == true)
    }

    @Test("streets on both sides of the 180th meridian are refused as such")
    func meridian() {
        let error = #expect(throws: ScenarioError.self) {
            try StreetNetwork(
                [line([(179_990, -17_000), (180_000, -17_000)]), line([(-180_000, -17_000), (-179_990, -17_000)])],
                source: "map")
        }
        #expect(error?.problem.contains("180th meridian") == true)
    }

    @Test("nothing, or half of the world, is no city")
    func refused() {
        #expect(throws: ScenarioError.self) { try StreetNetwork([], source: "map") }
        #expect(throws: ScenarioError.self) { try StreetNetwork([line([(0, 0), (9000, 0)])], source: "map") }
        #expect(throws: ScenarioError.self) { try StreetNetwork([line([(0, 0)])], source: "map") }
    }

    @Test("routes are the shortest, by another algorithm")
    func routes() async throws {
        let city = try SyntheticCity(.river, kilometres: 2, candidates: 1, seed: 4)
        let network = city.streets
        let routes = try await Routes(network, seed: 1, wanted: 8)
        // Bellman and Ford.
        for (index, anchor) in routes.anchors.enumerated() {
            var metres = [Float](repeating: .infinity, count: network.crossings.count)
            metres[Int(anchor)] = 0
            var isChanged = true
            while isChanged {
                isChanged = false
                for piece in network.pieces {
                    for (from, to) in [(Int(piece.from), Int(piece.to)), (Int(piece.to), Int(piece.from))]
                    where metres[from] + piece.length < metres[to] - 0.01 {
                        (metres[to], isChanged) = (metres[from] + piece.length, true)
                    }
                }
            }
            for start in stride(from: 0, to: network.crossings.count, by: 17) {
                var (crossing, length) = (Int32(start), Float(0))
                while case let piece = routes.piece(towards: Int32(index), from: crossing), piece >= 0 {
                    length += network.pieces[Int(piece)].length
                    crossing = network.other(piece, than: crossing)
                }
                #expect(crossing == anchor)
                #expect(abs(length - metres[start]) < 1)
            }
        }
    }

    @Test("pieces near a point are found as by looking at each")
    func near() throws {
        let network = try SyntheticCity(.rings, kilometres: 4, candidates: 1, seed: 4).streets
        let index = PieceIndex(network, side: 150)
        var random = SplitMix64(seed: 8)
        for _ in 0..<20 {
            let point = MapPoint(x: 5000 * random.uniform() - 2500, y: 5000 * random.uniform() - 2500)
            let found = index.pieces(within: 120, of: point).map(\.piece)
            let expected = network.pieces.indices.filter {
                network.distance(from: point, to: network.pieces[$0]) <= 120
            }
            #expect(found == expected.map { Int32($0) })
        }
    }

    @Test("more vehicles drive on more streets", arguments: SyntheticCity.Plan.allCases)
    func fleets(plan: SyntheticCity.Plan) async throws {
        let streets = try SyntheticCity(plan, kilometres: 3, candidates: 1, seed: 1).streets
        let city = try await City(streets, seed: 1)
        let shares = city.streetShares(ofFleets: [1, 4, 16], hours: 2, speed: 5, seed: 1)
        #expect(shares == shares.sorted() && shares[0] > 0 && shares[2] <= 1)
    }
}
