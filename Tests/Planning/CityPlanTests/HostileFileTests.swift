import Simulation
import TestSupport
import Testing

@testable import CityPlan

@Suite("Files from others")
struct HostileFileTests {
    private static let map = """
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "properties": {"highway": "residential", "name": "A \\u00e4 \\"street\\""},
           "geometry": {"type": "LineString", "coordinates": [[4.9, 52.3], [4.901, 52.3, 7], [4.902, 52.301]]}},
          {"type": "Feature", "properties": {"amenity": "cafe", "name": "Sprocket"},
           "geometry": {"type": "Point", "coordinates": [4.9005, 52.3]}},
          {"type": "Feature", "properties": {"shop": "bicycle"}, "geometry":
           {"type": "Polygon", "coordinates": [[[4.9, 52.3], [4.9, 52.302], [4.9, 52.3]]]}},
          {"type": "Feature", "properties": null, "geometry": null}
        ]}
        """

    @Test("a map has streets and places")
    func map() throws {
        let map = try GeoJSONMap(Array(Self.map.utf8), source: "map")
        #expect(map.streets.map(\.points.count) == [3])
        #expect(map.sites().map(\.name) == ["Sprocket", "bike shop"])
        #expect(map.sites().map(\.kind) == ["café", "bike shop"])
        #expect(map.thefts.count == 2)
    }

    @Test("features may also come one a line, as osmium exports them")
    func sequence() throws {
        let lines =
            "\u{1E}{\"type\":\"Feature\",\"properties\":{\"highway\":\"path\"},\"geometry\":"
            + "{\"type\":\"LineString\",\"coordinates\":[[1,1],[1.001,1]]}}\n"
        #expect(try GeoJSONMap(Array((lines + lines).utf8), source: "map").streets.count == 2)
    }

    @Test(
        "errors name file and line",
        arguments: [
            ("{\n\"features\": [\n{\"geometry\": {\"coordinates\": [200, 1]}}]}", "map:3: a position"),
            ("{\n", "map:2: not valid JSON"), ("", "map:1: the file is empty"),
            ("[1]", "map:1: not GeoJSON, which begins"),
            ("{\"a\": nul}", "map:1: not valid JSON"), ("{\"a\": \"x", "map:1: not valid JSON: a string does not end"),
            ("{\"a\": 1e999}", "map:1: not valid JSON: a number"), ("{\"a\": \"\\uD8", "map:1: not valid JSON"),
            ("{\"geometry\": {\"coordinates\": [1]}}", "map:1: a position"),
        ])
    func refused(text: String, start: String) {
        let error = #expect(throws: ScenarioError.self) { try GeoJSONMap(Array(text.utf8), source: "map") }
        #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
    }

    @Test("deep nesting is refused, however it is made")
    func deep() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{\"features\":[", "]}")] {
            let text = "{\"a\":" + String(repeating: open, count: 100_000) + String(repeating: close, count: 100_000)
            #expect(throws: ScenarioError.self) { try GeoJSONMap(Array(text.utf8), source: "map") }
            #expect(throws: ScenarioError.self) {
                try GeoJSONMap(Array(String(repeating: open, count: 100_000).utf8), source: "map")
            }
        }
        let coordinates = "{\"geometry\":{\"coordinates\":" + String(repeating: "[", count: 100_000)
        #expect(throws: ScenarioError.self) { try GeoJSONMap(Array(coordinates.utf8), source: "map") }
    }

    @Test("broken files never stop the program")
    func mutations() {
        var random = SplitMix64(seed: 7)
        let table = "name,latitude,longitude,opens,closes\n\"A, B\",52.3,4.9,8,20\nC,52.4,4.8,,\n"
        let station = #"{"name":"S","place":{"latitude":1,"longitude":2},"mobile":false}"#
        for original in [Self.map, table, station].map({ Array($0.utf8) }) {
            for _ in 0..<1500 {
                var bytes = original
                for _ in 0...Int(random.next(below: 3)) {
                    let place = Int(random.next(below: UInt64(bytes.count)))
                    switch random.next(below: 3) {
                    case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                    case 1: bytes.removeSubrange(place...)
                    default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
                    }
                    if bytes.isEmpty { bytes = [0] }
                }
                if let map = try? GeoJSONMap(bytes, source: "map") {
                    _ = (map.sites(), try? StreetNetwork(map.streets, source: "map"))
                }
                if let table = try? PlaceTable(bytes, source: "table") {
                    _ = (try? table.sites(), try? table.thefts(), try? table.experience())
                }
                _ = try? StationLines.read(bytes, source: "stations")
            }
        }
    }

    @Test("a table has quotes, other orders of columns, and errors with lines")
    func table() throws {
        let table = try PlaceTable(
            Array("\u{FEFF}Longitude,name,Latitude,kind\r\n4.9,\"Café \"\"Sprocket\"\", west\",52.3,cafe\r\n".utf8),
            source: "t")
        let site = try #require(try table.sites().first)
        #expect(site.name == "Café \"Sprocket\", west" && site.place.latitude == 52.3 && site.kind == "cafe")
        for (text, start) in [
            ("latitude,longitude\n1,2\n91,2\n", "t:3: latitude: ‘91’ is invalid"),
            ("latitude,longitude\n1\n", "t:2: has 1 cells"), ("lat\n1\n", "t:1: a column ‘longitude’"),
            ("latitude,longitude\nnan,2\n", "t:2: latitude: ‘nan’"), ("\"a", "t:1: a quotation mark"),
            ("latitude,longitude,opens,closes\n1,2,20,8\n", "t:2: closes: it closes"),
        ] {
            let error = #expect(throws: ScenarioError.self) {
                _ = try PlaceTable(Array(text.utf8), source: "t").sites()
            }
            #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
        }
    }

    @Test("a registry’s stations are read, without the revoked and the mobile ones")
    func stations() throws {
        let lines = """
            {"id":"a","name":"One","place":{"accuracy":9,"latitude":52.1,"longitude":4.9},"mobile":false}
            {"id":"b","name":"Bus","place":{"latitude":52.1,"longitude":4.9},"mobile":true}
            {"id":"c","name":"Gone","place":{"latitude":52.1,"longitude":4.9},"revoked":"2026-01-01T00:00:00Z"}
            {"invitation":{"name":"Two"}}
            """
        #expect(try StationLines.read(Array(lines.utf8), source: "s").map(\.name) == ["One"])
        #expect(throws: ScenarioError.self) { try StationLines.read(Array("{\"name\":\"x\"}".utf8), source: "s") }
    }

    @Test("models are read strictly")
    func models() throws {
        let shipped = try PlanModels.shipped()
        #expect(shipped.thieves.map(\.name) == ["organised", "patient", "reseller", "rider"])
        let path = Repository.path("config/plan/rider.yaml")
        let rider = String(decoding: try OutsideFile.contents(of: path, limit: 1 << 16), as: UTF8.self)
        #expect(try ThiefModel(yaml: rider, source: "r") == shipped.thieves[3])
        for (old, new) in [
            ("name: rider", "name: \"\""), ("prior: 1", "prior: 0"), ("prior: 1", "prior: 1e9"),
            ("from: 0.2, to: 0.6", "from: 0.6, to: 0.2"), ("from: 0.2, to: 0.6", "from: 0.2, to: 1.6"),
            ("indoors:", "indoor:"), ("from: 0.2, to: 0.6", "from: nan, to: 0.6"),
        ] {
            #expect(rider.contains(old))
            let error = #expect(throws: ScenarioError.self) {
                try ThiefModel(yaml: rider.replacing(old, with: new), source: "r")
            }
            #expect(error?.line != nil)
        }
    }
}
