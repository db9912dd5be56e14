import Foundation
import TestSupport
import Testing

@Suite("findmybike plan", .timeLimit(.minutes(10)))
struct PlanTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// With few worlds, bikes and frames: the program is not optimized here.
    private func plan(_ arguments: String...) async throws -> BuiltProgram.Result { try await plan(arguments) }

    private func plan(_ arguments: [String]) async throws -> BuiltProgram.Result {
        try await BuiltProgram("findmybike").run(
            ["plan", "--worlds", "19", "--stolen", "30", "--budget", "3", "--interval", "5s"] + arguments)
    }

    @Test("a city that is made up needs no file, and has tables, a page and a map")
    func synthetic() async throws {
        let (page, map) = (folder.file("plan.html"), folder.file("plan.geojson"))
        // A link leads to the page, and another file has the name that a half-written page could have.
        let link = folder.file("link.html")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: page)
        let other = try folder.write("mine", to: "plan.html.new")
        _ = try folder.write("old", to: "plan.html")
        let run = try await plan(
            "--synthetic", "river", "--size", "2", "--vehicles", "2", "--html", link, "--geojson", map)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == page)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: URL(fileURLWithPath: page).deletingLastPathComponent().path)
        #expect(names.filter { $0.hasPrefix("plan.") }.sorted() == ["plan.geojson", "plan.html", "plan.html.new"])
        #expect(run.status == 0, "\(run.errors)")
        for part in [
            "NEW STATIONS", "The best places, in order", "PLANNED", "organised", "half are heard within",
            "Heard is not found",
        ] {
            #expect(run.output.contains(part), "\(part)")
        }
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("</html>"))
        #expect(try String(contentsOfFile: map, encoding: .utf8).contains("FeatureCollection"))
    }

    @Test("an extract of OpenStreetMap, places, thefts, stations and searches from files")
    func extract() async throws {
        let streets = try folder.write(Self.town, to: "-town.osm")
        let thefts = try folder.write("latitude,longitude,count\n50.005,8.007,4\n50.001,8.002,1\n", to: "thefts.csv")
        let run = try await plan("--streets", streets, "--thefts", thefts, "--json")
        #expect(run.status == 0, "\(run.errors)")
        struct Report: Decodable {
            struct Place: Decodable { let name: String, kind: String }
            struct Experience: Decodable { let searches: Int }
            let places: [Place]
            let experience: Experience?
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(Set(report.places.map(\.name)) == ["Café Sprocket", "bike shop", "Fuel & Go"])

        let candidates = try folder.write("name,lat,lon\nA,50.002,8.002\nB,50.007,8.009\n", to: "places.csv")
        let stations = try folder.write(
            #"{"id":"1","name":"Café","place":{"latitude":50.005,"longitude":8.007},"mobile":false}"# + "\n",
            to: "stations.json")
        let searches = try folder.write(
            #"{"until":"2026-11-21T00:00:00Z","searches":2,"counts":[{"lasted":"day","searches":2}]}"#,
            to: "searches.json")
        let known = try await plan(
            "--streets", streets, "--candidates", candidates, "--stations", stations, "--experience", searches, "--json"
        )
        #expect(known.status == 0, "\(known.errors)")
        let second = try JSONDecoder().decode(Report.self, from: Data(known.output.utf8))
        #expect(Set(second.places.map(\.name)).isSubset(of: ["A", "B"]) && second.experience?.searches == 2)
    }

    @Test("what is wrong with a file is said with its line")
    func broken() async throws {
        let searches = try folder.write("heardAfterHours\n5\nsoon\n", to: "searches.csv")
        let stations = try folder.write("latitude,longitude\n0,0\n", to: "stations.csv")
        let run = try await plan(
            "--synthetic", "grid", "--size", "1", "--stations", stations, "--experience", searches)
        #expect(run.status == 65 && run.errors.contains("searches.csv:3") && run.errors.contains("‘soon’ is invalid"))
        let noMap = try folder.write("no map", to: "city.osm.pbf")
        let other = try await plan("--streets", noMap)
        #expect(other.status == 65 && other.errors.contains("osmium"), "\(other.errors)")
    }

    @Test("places outside of the city are refused, and it is said how many thefts were used")
    func outside() async throws {
        // The streets are around 0° N 0° E.
        let far = try folder.write("latitude,longitude\n4.9,52.3\n4.8,52.4\n", to: "far.csv")
        for option in ["--candidates", "--stations", "--thefts"] {
            let run = try await plan("--synthetic", "grid", "--size", "1", option, far)
            #expect(run.status == 65, "\(option)")
            #expect(
                run.errors.contains(
                    "none of the 2 places is within 2 km of a street; are latitude and longitude swapped?"))
        }
        let none = try folder.write("latitude,longitude,count\n0,0,0\n", to: "none.csv")
        let empty = try await plan("--synthetic", "grid", "--size", "1", "--thefts", none)
        #expect(empty.status == 65 && empty.errors.contains("has no theft"), "\(empty.errors)")
        let some = try folder.write("latitude,longitude\n0,0\n0,0\n4.8,52.4\n", to: "some.csv")
        let run = try await plan("--synthetic", "grid", "--size", "1", "--thefts", some, "--candidates", some)
        #expect(run.status == 0 && run.errors.contains("used 2 of 3 places in"), "\(run.errors)")
        #expect(run.errors.contains("1 of 3 places") && run.errors.contains("are listed again and count once"))
        #expect(
            run.output.contains("Note: There are only 2 possible places, so the plan has 1 new station, not 3.")
                || run.output.contains("Note: The plan has 1 new station, not 3"))
    }

    @Test(
        "mistakes are refused before any work, and the message says what to do",
        arguments: [
            (["--interval", "1"], 64, "write it with its unit, as in 500ms or 1s"),
            (["--interval", "5ms"], 64, "--interval must be 20ms to 10s"),
            (["--budget", "0"], 64, "--budget must be 1 to 1000"),
            (["--budget", "1000000000"], 64, "--budget must be"),
            (["--worlds", "9999", "--stolen", "1000000"], 64, "reduce one"),
            (["--worlds", "9999", "--budget", "1000"], 64, "reduce one"), (["--seed", "-1"], 64, "--seed"),
            (["--size", "nan"], 64, "--size must be"), (["--name", ""], 64, "--name must have"),
            (["--name", "\u{301} \u{302}"], 64, "--name must have"),
            (["--experience", "x.csv"], 64, "--experience needs --stations"),
            (["--models", "nowhere"], 66, "there is no folder ‘nowhere’"),
            (["--model", "x"], 64, "the models are organised"),
            (["--html", "/nowhere/plan.html"], 73, "its folder is missing"),
            (["--html", "/dev/null"], 73, "no plain file"),
            (["--html", "/tmp"], 73, "no plain file"),
            (["--html", "/tmp/p", "--geojson", "/tmp/./p"], 64, "the same file"),
            (["--html", "/tmp/st.csv", "--stations", "/tmp/st.csv"], 64, "is also read"),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], status: Int32, part: String) async throws {
        let run = try await BuiltProgram("findmybike").run(["plan", "--synthetic", "grid", "--size", "1"] + arguments)
        #expect(run.status == status && run.errors.contains(part), "\(run.status): \(run.errors)")
    }

    @Test("results replace neither devices nor what is read, and a model is a plain file of bounded size")
    func files() async throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
        func run(_ arguments: String...) async throws -> BuiltProgram.Result {
            try await plan(["--synthetic", "grid", "--size", "1"] + arguments)
        }
        let device = try await run("--html", link)
        #expect(device.status == 73 && device.errors.contains("no plain file"), "\(device.errors)")
        let models = folder.file("models")
        try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: false)
        for name in ["city", "rider"] { try Data().write(to: URL(fileURLWithPath: "\(models)/\(name).yaml")) }
        let model = try await run("--models", models, "--html", "\(models)/../models/rider.yaml")
        #expect(model.status == 64 && model.errors.contains("is also read"), "\(model.errors)")
        try Data(repeating: 35, count: 70_000).write(to: URL(fileURLWithPath: "\(models)/city.yaml"))
        let large = try await run("--models", models)
        #expect(large.status == 65 && large.errors.contains("larger than 64 KiB"), "\(large.errors)")
        #expect(mkfifo("\(models)/a.yaml", 0o600) == 0)
        let pipe = try await run("--models", models)
        #expect(pipe.status == 65 && pipe.errors.contains("a.yaml is no plain file"), "\(pipe.errors)")
    }

    @Test("a signal ends osmium too, and leaves no file behind")
    func interrupted() async throws {
        let (programs, temporary, number) = (folder.file("bin"), folder.file("tmp"), folder.file("number"))
        for path in [programs, temporary] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let osmium = "#!/bin/sh\necho $$ > '\(number)'\nkill -TERM $PPID\nexec sleep 600\n"
        try Data(osmium.utf8).write(to: URL(fileURLWithPath: "\(programs)/osmium"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(programs)/osmium")
        let run = try await BuiltProgram("findmybike").run(
            ["plan", "--streets", try folder.write(Self.town, to: "town.osm")],
            environment: ["PATH": "\(programs):/usr/bin:/bin", "TMPDIR": temporary])
        #expect(run.status == 130 && !run.wasKilled, "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        let id = try String(contentsOfFile: number, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let process = try #require(pid_t(id))
        #expect(kill(process, 0) != 0)
    }

    @Test("a table that is given as streets, and a map without venues, are refused with a remedy")
    func maps() async throws {
        let table = try folder.write("latitude,longitude\n0,0\n", to: "streets.csv")
        let run = try await plan("--streets", table)
        #expect(run.status == 65 && run.errors.contains("not GeoJSON"), "\(run.errors)")
        let bare = try folder.write(
            #"{"properties":{"highway":"path"},"geometry":{"type":"LineString","coordinates":[[8,50],[8.001,50]]}}"#,
            to: "bare.geojson")
        let other = try await plan("--streets", bare)
        #expect(other.status == 65 && other.errors.contains("give it with --candidates"), "\(other.errors)")
    }

    /// Twelve streets in each direction, a café, a bike shop, and a petrol station with an outline. The ways come before the
    /// nodes’ order ends, as in a file that an editor saved.
    private static var town: String {
        let count = 12
        var nodes: [String] = []
        for row in 0..<count {
            for column in 0..<count {
                let (latitude, longitude) = (50 + Double(row) * 0.0012, 8 + Double(column) * 0.0018)
                nodes.append(
                    #"<node id="\#(1000 + row * 100 + column)" version="1" lat="\#(latitude)" lon="\#(longitude)"/>"#)
            }
        }
        nodes.append(
            #"<node id="1" version="1" lat="50.0013" lon="8.0019"><tag k="amenity" v="cafe"/><tag k="name" v="Café Sprocket"/></node>"#
        )
        nodes.append(
            #"<node id="2" version="1" lat="50.0061" lon="8.0091"><tag k="shop" v="bicycle"/></node>"#)
        for (index, corner) in [("50.01", "8.01"), ("50.01", "8.0104"), ("50.0104", "8.0104")].enumerated() {
            nodes.append(#"<node id="\#(10 + index)" version="1" lat="\#(corner.0)" lon="\#(corner.1)"/>"#)
        }
        func way(_ id: Int, _ nodes: [Int], _ tags: [(String, String)]) -> String {
            #"<way id="\#(id)" version="1">"# + nodes.map { #"<nd ref="\#($0)"/>"# }.joined()
                + tags.map { #"<tag k="\#($0)" v="\#($1)"/>"# }.joined() + "</way>"
        }
        let ways = (0..<count).flatMap { line in
            [
                way(1 + line, (0..<count).map { 1000 + line * 100 + $0 }, [("highway", "residential")]),
                way(100 + line, (0..<count).map { 1000 + $0 * 100 + line }, [("highway", "residential")]),
            ]
        }
        let station = way(500, [10, 11, 12, 10], [("amenity", "fuel"), ("name", "Fuel &amp; Go")])
        return #"<?xml version="1.0" encoding="UTF-8"?><osm version="0.6" generator="test">"#
            + (nodes + ways + [station]).joined(separator: "\n") + "</osm>"
    }
}
