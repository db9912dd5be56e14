import Simulation
import Testing

@testable import CityPlan

@Suite("Errors of files say what to do")
struct FileErrorTests {
    private func table(_ text: String) throws -> PlaceTable { try PlaceTable(Array(text.utf8), source: "t") }

    @Test(
        "tables of places",
        arguments: [
            ("latitude;longitude\n52,3;4,9\n", "t:1: the columns must be separated by commas"),
            ("latitude\tlongitude\n52.3\t4.9\n", "t:1: the columns must be separated by commas"),
            (
                "latitude,longitude\n52,3,4,9\n",
                "t:2: has 4 cells, but the first line names 2 columns: write numbers with"
            ),
            (
                "Latitude,longitude\n\"52,3\",4\n",
                "t:2: Latitude: ‘52,3’ is invalid: write a number from -85 to 85, as in"
            ),
            ("latitude,longitude\n90,180\n", "t:2: latitude: ‘90’ is invalid"),
            ("latitude,longitude\n52,-181\n", "t:2: longitude: ‘-181’ is invalid"),
            ("latitude,longitude\n52,1e999\n", "t:2: longitude: ‘1e999’ is invalid"),
            ("latitude,longitude\n52,0x10\n", "t:2: longitude: ‘0x10’ is invalid"),
            (
                "latitude,longitude,opens,closes\n1,2,7:30,20\n",
                "t:2: opens: ‘7:30’ is invalid: write a number from 0 to 24, as in 7.5 for half past seven"
            ),
            ("latitude,longitude,opens,closes\n1,2,,20\n", "t:2: opens: ‘’ is invalid"),
            ("latitude,longitude,opens\n1,2,8\n", "t:1: the columns ‘opens’ and ‘closes’ are needed both"),
            ("latitude,longitude,Latitude\n", "t:1: names the column ‘Latitude’ twice"),
            (
                "latitude,\"long\u{1B}[2Jitude\nx\"\n1,2\n",
                "t:1: a column ‘longitude’ is needed: the columns are latitude, long [2J"
            ),
            ("latitude,longitude\n1,2\u{0}\n", "t: is no plain text: save the table as CSV"),
            (
                "{\"type\":\"FeatureCollection\"}",
                "t: is no table: the name of a file with GeoJSON must end in .geojson"
            ),
            ("", "t: the file is empty"), ("\u{FEFF}\n\n", "t: the file is empty"),
            (String(repeating: "a,", count: 70), "t:1: more than 64 columns"),
            ("latitude,longitude\n1," + String(repeating: "2", count: 5000), "t:2: a cell has more than 4096 bytes"),
        ])
    func places(text: String, start: String) {
        let error = #expect(throws: ScenarioError.self) { try table(text).sites() }
        #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
    }

    @Test("lines end as on any system, and the names of columns may have any capitals")
    func lines() throws {
        for end in ["\n", "\r\n", "\r"] {
            let sites = try table(["\u{FEFF}NAME,LAT,Lon", "A,1,2", "", "B,3,4"].joined(separator: end)).sites()
            #expect(sites.map(\.name) == ["A", "B"])
        }
        #expect(try table("heardafterhours\n5\n\n").experience().searches.map(\.heardAfter) == [5, nil])
    }

    @Test("names from files cannot control a terminal")
    func names() throws {
        let site = try #require(
            try table("latitude,longitude,name\n1,2,\"a\u{1B}]0;x\u{7}\u{202E}b\nc\"\n").sites().first)
        #expect(site.name == "a ]0;x  b c")
        let text = #"{"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"\u001b[31m\u0000x"}}"#
        let map = try GeoJSONMap(Array(text.utf8), source: "map")
        #expect(map.sites(all: true).map(\.name) == [" [31m x"])
    }

    @Test(
        "searches",
        arguments: [
            ("hours\n5\n", "s:1: a column ‘heardAfterHours’ is needed: the columns are hours"),
            ("heardAfterHours,closedAfterHours\n50,20\n", "s:2: heardAfterHours: the bike was heard after"),
            ("heardAfterHours\n", "s: has 0 searches"),
            ("heardAfterHours\n-1\n", "s:2: heardAfterHours: ‘-1’ is invalid"),
            ("{\"searches\":3}", "s:1: not what ‘findmybike operator searches --json’ prints"),
            ("{\"counts\":[]}", "s: has no closed search yet: leave out --experience"),
            ("{\"counts\":[{\"lasted\":\"day\",\"searches\":100001}]}", "s:1: ‘searches’ must be a number from 0"),
        ])
    func searches(text: String, start: String) {
        let bytes = Array(text.utf8)
        let error = #expect(throws: ScenarioError.self) {
            _ =
                bytes.beginsAsJSON
                ? try SearchCounts.read(bytes, source: "s") : try PlaceTable(bytes, source: "s").experience()
        }
        #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
    }

    @Test("a table is no map, and GeoJSON is no list of stations")
    func kinds() {
        let table = #expect(throws: ScenarioError.self) {
            try GeoJSONMap(Array("latitude,longitude\n1,2\n".utf8), source: "m")
        }
        #expect(table?.problem.contains("extract of OpenStreetMap") == true)
        let map = #expect(throws: ScenarioError.self) {
            try StationLines.read(Array("{\"type\":\"FeatureCollection\",\"features\":[]}".utf8), source: "m")
        }
        #expect(map?.problem.contains(".geojson") == true)
    }

    @Test("half a file is refused or is read as far as whole lines go, and never stops the program")
    func halves() throws {
        let text = Array("{\"counts\":[{\"heardWithin\":\"day\",\"lasted\":\"week\",\"searches\":2}]}".utf8)
        for length in 0..<text.count {
            #expect(throws: ScenarioError.self) { try SearchCounts.read(Array(text.prefix(length)), source: "s") }
        }
    }
}
