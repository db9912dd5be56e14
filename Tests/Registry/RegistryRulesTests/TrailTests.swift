import Beacons
import Foundation
import FoundationXML
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Formats of the trail")
struct TrailTests {
    private static let report = ReportID(high: 6, low: 1)
    private static let noon = HandClock().now

    private static func sighting(
        _ number: UInt64, at seconds: Int = 0, station: String = "Café Sprocket", reasons: [SightingReason] = []
    ) -> Sighting {
        let first = noon.advanced(by: .seconds(seconds))
        return Sighting(
            id: VisitID(high: 1, low: number), report: report,
            station: Sighting.StationSummary(id: StationID(high: 7, low: 1), name: station),
            place: Place(latitude: 51.5, longitude: -0.000_01, accuracy: 10), firstSeen: first,
            lastSeen: first.advanced(by: .seconds(60)), received: first, count: 2,
            rssi: SignalStrength(min: -70, max: -60), proximity: .near, ended: true, timeUncertain: false,
            level: Plausibility.level(for: reasons), reasons: reasons
        )
    }

    @Test("a trail is sorted by its own times, not by the order of storage")
    func order() {
        let trail = Trail([Self.sighting(1, at: 60), Self.sighting(3), Self.sighting(2)], of: Self.report)
        #expect(trail.sightings.map(\.id.low) == [2, 3, 1])
    }

    @Test("GeoJSON has a point for each sighting, longitude first, and says that beacons can be copied")
    func geoJSON() throws {
        struct Collection: Decodable {
            struct Feature: Decodable {
                struct Geometry: Decodable {
                    let type: String
                    let coordinates: [Double]
                }
                let type: String
                let geometry: Geometry
                let properties: Sighting
            }
            let type: String
            let caution: String
            let features: [Feature]
        }
        let sightings = [Self.sighting(1), Self.sighting(2, at: 60, reasons: [.tooFast])]
        let bytes = try Trail(sightings, of: Self.report).geoJSON()
        let read = try JSONDecoder().decode(Collection.self, from: Data(bytes))
        #expect(read.type == "FeatureCollection" && read.features.map(\.type) == ["Feature", "Feature"])
        #expect(read.features[0].geometry.type == "Point")
        #expect(read.features[0].geometry.coordinates == [-0.000_01, 51.5])
        #expect(read.features.map(\.properties) == sightings)
        #expect(read.caution.contains("copied"))
    }

    @Test("GPX is well-formed for any station name, and its track omits disputed sightings")
    func gpx() throws {
        let name = "A <b> & \"c\" ]]> \u{1}\u{FFFE}\t'd'"
        let trail = Trail(
            [
                Self.sighting(1, station: name), Self.sighting(2, at: 60, reasons: [.tooFast]),
                Self.sighting(3, at: 120),
            ],
            of: Self.report
        )
        let outline = GPXOutline()
        let parser = XMLParser(data: Data(trail.gpx()))
        parser.delegate = outline
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(outline.count["wpt"] == 3 && outline.count["trkpt"] == 2 && outline.count["time"] == 5)
        #expect(outline.names.contains("A <b> & \"c\" ]]>  'd'"))
        #expect(outline.longitudes == Array(repeating: "-0.000010000", count: 5))
        let empty = XMLParser(data: Data(Trail([], of: Self.report).gpx()))
        #expect(empty.parse())
    }

    @Test("GPX has no longitude of 180, which its schema does not allow: it is the meridian of -180")
    func meridian() {
        for (longitude, written) in [(180.0, "-180.0"), (-180, "-180.0"), (179.999_999, "179.999999")] {
            var sighting = Self.sighting(1)
            sighting.place.longitude = longitude
            let text = String(decoding: Trail([sighting], of: Self.report).gpx(), as: UTF8.self)
            #expect(text.components(separatedBy: "lon=\"\(written)\"").count == 3, "\(text)")
        }
    }

    @Test("CSV has a header and a line for each sighting")
    func csv() {
        let lines = String(decoding: Trail([Self.sighting(1)], of: Self.report).csv(), as: UTF8.self)
            .split(separator: "\r\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("id,station,station_name,latitude,longitude,accuracy_m,first_seen") == true)
        #expect(
            lines.last == """
                00000000-0000-0001-0000-000000000001,00000000-0000-0007-0000-000000000001,Café Sprocket,51.5,-1e-05,10.0,\
                2026-11-21T12:00:00.000Z,2026-11-21T12:01:00.000Z,2026-11-21T12:00:00.000Z,2,-70,-60,near,true,false,\
                false,possible,,,,,,
                """
        )
    }

    @Test("a receiver and its place are in CSV and GPX")
    func receiver() {
        var sighting = Self.sighting(1)
        sighting.receiver = VenueReceiver(name: "-bar", place: Place(latitude: 51.501, longitude: 0.5))
        let trail = Trail([sighting], of: Self.report)
        #expect(String(decoding: trail.csv(), as: UTF8.self).hasSuffix(",possible,,,'-bar,51.501,0.5,\r\n"))
        #expect(String(decoding: trail.gpx(), as: UTF8.self).contains("2 times, receiver -bar; possible"))
    }

    @Test(
        "no cell is a formula, and every text is complete",
        arguments: [
            ("Bar", "Bar"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("=1+1", "'=1+1"),
            ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), (" =1", "' =1"), ("\t=1", "\"'\t=1\""),
            ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""), ("＝1", "'＝1"), ("a=1", "a=1"),
            ("\r=1", "\"'\r=1\""), ("", ""),
        ]
    )
    func injection(text: String, cell: String) {
        let line = String(
            decoding: Trail([Self.sighting(1, station: text)], of: Self.report).csv(), as: UTF8.self)
        #expect(line.contains("-000000000001,\(cell),51.5,"))
    }
}

/// The content of a GPX file, as parsed by an independent XML parser.
private final class GPXOutline: NSObject, XMLParserDelegate {
    var count: [String: Int] = [:]
    var longitudes: [String] = []
    var names: [String] = []
    private var text = ""

    func parser(
        _: XMLParser, didStartElement element: String, namespaceURI _: String?, qualifiedName _: String?,
        attributes: [String: String]
    ) {
        count[element, default: 0] += 1
        if let longitude = attributes["lon"] { longitudes.append(longitude) }
        text = ""
    }

    func parser(_: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(_: XMLParser, didEndElement element: String, namespaceURI _: String?, qualifiedName _: String?) {
        if element == "name" { names.append(text) }
    }
}
