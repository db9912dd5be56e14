import Testing

@testable import RegistrySQL

@Suite("How many sightings are compared to judge one")
struct NeighbourBoundsTests {
    /// Stations of this registry (0) or of a partner, with the same numbers of sightings.
    private static func stations(
        _ count: Int, _ before: Int, _ after: Int, of partner: Int64 = 0, quarantined: Int = 0
    ) -> [NeighbourBounds.Station] {
        (0..<count).map { place in
            NeighbourBounds.Station(
                partner: partner, place: place, before: before, after: after, quarantined: quarantined)
        }
    }

    @Test(
        "at most 256 sightings are compared: if there are more, fewer of each station, then fewer stations",
        arguments: [
            (0, 8, 8, 8, 0), (1, 8, 8, 8, 1), (16, 8, 8, 8, 16), (17, 8, 8, 7, 17), (32, 8, 8, 4, 32),
            (100, 8, 8, 1, 100), (128, 8, 8, 1, 128), (129, 8, 8, 1, 128), (256, 8, 8, 1, 128), (256, 1, 0, 8, 256),
            (64, 8, 0, 4, 64), (86, 0, 8, 2, 86),
        ])
    func bounds(stations: Int, before: Int, after: Int, perSide: Int, counted: Int) {
        let own = NeighbourBounds(Self.stations(stations, before, after)).own
        #expect(own.perSide == perSide && own.stations == counted)
        let compared = counted * (min(before, own.perSide) + min(after, own.perSide))
        #expect(compared <= NeighbourBounds.limit)
    }

    @Test("a station with many sightings does not reduce those of stations with few")
    func uneven() {
        let many = Self.stations(20, 8, 8)
        let few = (20..<80).map {
            NeighbourBounds.Station(partner: 0, place: $0, before: 1, after: 1, quarantined: 0)
        }
        let own = NeighbourBounds(many + few).own
        // Twice 20 times 3, and twice 60.
        #expect(own.perSide == 3 && own.stations == 80)
    }

    @Test("partners get the places that this registry's stations leave, each partner as many as the others")
    func partners() {
        let own = Self.stations(10, 8, 8)
        let one = NeighbourBounds(own + Self.stations(32, 8, 8, of: 1))
        #expect(one.own.perSide == 8 && one.own.stations == 10)
        // 96 places are left, for 32 stations.
        #expect(one.ofPartner.perSide == 1 && one.ofPartner.stations == 32)
        let hostile = (1...8 as ClosedRange<Int64>).flatMap { Self.stations(32, 8, 8, of: $0) }
        let nine = NeighbourBounds(own + hostile + Self.stations(1, 1, 0, of: 9))
        #expect(nine.own.perSide == 8 && nine.own.stations == 10)
        // The first five of each: twice 40, and one.
        #expect(nine.ofPartner.perSide == 1 && nine.ofPartner.stations == 5)
        let none = NeighbourBounds(Self.stations(16, 8, 8) + Self.stations(1, 1, 0, of: 1))
        #expect(none.own.stations == 16 && none.ofPartner.stations == 0)
        #expect(none.share(of: 0).stations == 16 && none.share(of: 1).stations == 0)
    }

    @Test("sightings under quarantine are compared only if there is room for all")
    func quarantined() {
        let few = NeighbourBounds(Self.stations(20, 1, 0) + Self.stations(29, 0, 0, of: 1, quarantined: 8))
        #expect(few.countsQuarantined && few.own.stations == 20 && few.ofPartner.stations == 29)
        let many = NeighbourBounds(Self.stations(20, 1, 0) + Self.stations(30, 0, 0, of: 1, quarantined: 8))
        #expect(!many.countsQuarantined && many.own.stations == 20)
        // Stations of which nothing is trusted take no places.
        let whole = NeighbourBounds(Self.stations(16, 8, 8) + Self.stations(99, 0, 0, quarantined: 16))
        #expect(!whole.countsQuarantined && whole.own.perSide == 8 && whole.own.stations >= 16)
    }
}
