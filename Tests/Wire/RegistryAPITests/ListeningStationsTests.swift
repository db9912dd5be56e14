import RegistryAPI
import Testing

@Suite struct ListeningStationsTests {
    private func stations(at latitude: Double, _ longitude: Double, from place: Place?) -> ListeningStations {
        let mark = StationMap.Mark(
            id: StationID(high: 1, low: 1), name: "Café", latitude: latitude, longitude: longitude, state: .listening,
            heartbeat: nil)
        let closed = ClosedSearches(until: Timestamp(milliseconds: 0), counts: [])
        return ListeningStations(StationMap(stations: [mark]), from: place, after: closed)
    }

    @Test("from wherever it is measured, the distance tells no more of a station's place than its field of the grid")
    func coarse() {
        for step in 0..<40 {
            let place = Place(latitude: 51.49 + Double(step) * 0.0007, longitude: -0.15 + Double(step) * 0.0011)
            let distances = Set(
                [(51.5003, -0.1197), (51.5098, -0.1102), (51.505, -0.115)].map {
                    stations(at: $0.0, $0.1, from: place).nearest
                })
            #expect(distances.count == 1)
        }
    }

    @Test("the nearest station is never further than it says")
    func bound() throws {
        for latitude in [-70.0, -0.009, 0, 51.5, 68.2] {
            for offset in [0.0001, 0.0051, 0.0099, 0.03, 0.2] {
                let place = Place(latitude: latitude, longitude: -0.12)
                let there = Place(latitude: latitude + offset, longitude: -0.12 - offset)
                let said = try #require(stations(at: there.latitude, there.longitude, from: place).nearest)
                #expect(said >= place.distance(to: there) && said <= place.distance(to: there) + 2600)
            }
        }
    }
}
