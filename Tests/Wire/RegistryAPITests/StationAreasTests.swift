import RegistryAPI
import Testing

@Suite("Where stations listen, roughly")
struct StationAreasTests {
    private static func mark(_ number: Int, _ latitude: Double, _ state: Station.State = .listening) -> StationMap.Mark
    {
        StationMap.Mark(
            id: StationID(high: 1, low: UInt64(number)), name: "Café \(number)", latitude: latitude, longitude: -0.12,
            state: state, heartbeat: nil)
    }

    @Test("a field is named only with five stations that listen, by its centre")
    func fewest() {
        let five = (0..<5).map { Self.mark($0, 51.51 + Double($0) / 100) }
        let areas = StationAreas(StationMap(stations: five + [Self.mark(5, 53.41), Self.mark(6, 51.51, .silent)]))
        #expect(areas.listening == 6)
        #expect(areas.areas == [StationAreas.Area(latitude: 51.55, longitude: -0.15, stations: 5)])
        #expect(StationAreas(StationMap(stations: Array(five.dropLast()))).areas == [])
    }

    @Test("the fields with the most stations come first, and there are not too many")
    func most() {
        let stations = (0..<StationAreas.most + 2).flatMap { field in
            (0..<(field == 7 ? 6 : 5)).map { Self.mark(field * 10 + $0, Double(field) / 10 + 0.05) }
        }
        let areas = StationAreas(StationMap(stations: stations)).areas
        #expect(areas.count == StationAreas.most)
        #expect(areas[0] == StationAreas.Area(latitude: 0.75, longitude: -0.15, stations: 6))
    }

    @Test("places at the edges of the Earth are counted, and what is no place is not", arguments: [90.0, -90, 0, .nan])
    func edges(_ latitude: Double) {
        let areas = StationAreas(StationMap(stations: (0..<5).map { Self.mark($0, latitude) }))
        #expect(areas.listening == 5 && areas.areas.count == (latitude.isNaN ? 0 : 1))
    }
}
