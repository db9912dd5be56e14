import Testing

@testable import RegistrySQL

@Suite("How many sightings are compared to judge one")
struct NeighbourBoundsTests {
    @Test(
        "at most 256 sightings are compared: if there are more, fewer of each station, then fewer stations",
        arguments: [
            (0, 8, 8, 8, 0), (1, 8, 8, 8, 1), (16, 8, 8, 8, 16), (17, 8, 8, 7, 17), (32, 8, 8, 4, 32),
            (100, 8, 8, 1, 100), (128, 8, 8, 1, 128), (129, 8, 8, 1, 128), (256, 8, 8, 1, 128), (256, 1, 0, 8, 256),
            (64, 8, 0, 4, 64), (86, 0, 8, 2, 86),
        ])
    func bounds(stations: Int, before: Int, after: Int, perSide: Int, counted: Int) {
        let bounds = NeighbourBounds(Array(repeating: (before: before, after: after), count: stations))
        #expect(bounds.perSide == perSide && bounds.stations == counted)
        let compared = counted * (min(before, bounds.perSide) + min(after, bounds.perSide))
        #expect(compared <= NeighbourBounds.limit)
    }

    @Test("a station with many sightings does not reduce those of stations with few")
    func uneven() {
        let many = Array(repeating: (before: 8, after: 8), count: 20)
        let few = Array(repeating: (before: 1, after: 1), count: 60)
        let bounds = NeighbourBounds(many + few)
        // Twice 20 times 3, and twice 60.
        #expect(bounds.perSide == 3 && bounds.stations == 80)
    }
}
