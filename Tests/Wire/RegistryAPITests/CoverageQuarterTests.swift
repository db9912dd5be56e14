import Foundation
import Testing

@testable import RegistryAPI

@Suite("Quarters of an hour")
struct CoverageQuarterTests {
    // 2026-11-21T12:00:00Z
    private static let noon = Timestamp(milliseconds: 1_795_262_400_000)

    private func pointers(_ body: String) -> [String] {
        do {
            _ = try BodyParser.parse(
                Array(body.utf8), as: StationHeartbeat.rule(now: Self.noon), unknownFields: .ignored)
            return []
        } catch .fields(let errors) {
            return errors.map(\.pointer)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("a quarter begins at a multiple of 15 minutes in UTC, also before 1970 and in the year 9999")
    func alignment() {
        for (text, start, number) in [
            ("2026-11-21T12:00:00Z", "2026-11-21T12:00:00.000Z", 48),
            ("2026-11-21T12:14:59.999Z", "2026-11-21T12:00:00.000Z", 48),
            ("1969-12-31T23:59:59Z", "1969-12-31T23:45:00.000Z", 95),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z", 0),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:45:00.000Z", 95),
        ] {
            let quarter = Timestamp(text).map { CoverageQuarter(begins: $0) }
            #expect(quarter?.begins.description == start && quarter?.numberInDay == number, "\(text)")
        }
    }

    @Test("numbers out of range become the nearest, in files, too")
    func clamped() throws {
        let quarter = CoverageQuarter(
            begins: Self.noon, listened: -1, adverts: .max, devices: 70_000, restarts: .min, listAge: .max)
        #expect(quarter.listened == 0 && quarter.adverts == 1 << 53 && quarter.devices == 65_535)
        #expect(quarter.restarts == 0 && quarter.listAge == 1 << 31)
        let text = #"{"begins":"2026-11-21T12:07:00Z","listened":901,"adverts":-5,"devices":1,"restarts":2}"#
        let read = try JSONDecoder().decode(CoverageQuarter.self, from: Data(text.utf8))
        #expect(read == CoverageQuarter(begins: Self.noon, listened: 900, devices: 1, restarts: 2))
        let sum = quarter.joined(with: quarter)
        #expect(sum.adverts == 1 << 53 && sum.listened == 0)
    }

    @Test("two parts of a quarter join; a part without a list leaves its age unknown")
    func joined() {
        let first = CoverageQuarter(
            begins: Self.noon, listened: 500, adverts: 7, devices: 3, restarts: 1, listAge: 10)
        let second = CoverageQuarter(begins: Self.noon, listened: 600, adverts: 1, devices: 5, listAge: 90)
        #expect(
            first.joined(with: second)
                == CoverageQuarter(
                    begins: Self.noon, listened: 900, adverts: 8, devices: 5, restarts: 1, listAge: 90))
        #expect(first.joined(with: CoverageQuarter(begins: Self.noon)).listAge == nil)
    }

    @Test(
        "a heartbeat's invalid quarters are named",
        arguments: [
            (#"{"begins":"2026-11-21T12:00:00Z","listened":900,"adverts":1,"devices":1,"restarts":0}"#, []),
            (#"{"begins":"2026-11-21T12:00:01Z","listened":1,"adverts":1,"devices":1,"restarts":0}"#, ["/begins"]),
            (
                #"{"begins":"2026-11-21T12:00:00Z","listened":901,"adverts":-1,"devices":65536,"restarts":1e9}"#,
                ["/listened", "/adverts", "/devices", "/restarts"]
            ),
            (
                #"{"begins":12,"listened":1.5,"adverts":1,"devices":1,"restarts":0,"listAge":-1}"#,
                ["/begins", "/listened", "/listAge"]
            ),
            ("{}", ["", "", "", "", ""]),
        ] as [(String, [String])])
    func heartbeats(quarter: String, wrong: [String]) {
        let body = #"{"version":"1","adapters":[],"coverage":[\#(quarter)]}"#
        let found = pointers(body)
        if quarter == "{}" {
            #expect(found.count == wrong.count)
        } else {
            #expect(found == wrong.map { "/coverage/0" + $0 })
        }
    }

    @Test("a heartbeat has at most 48 quarters, and may have none")
    func count() {
        let quarter = #"{"begins":"2026-11-21T12:00:00Z","listened":1,"adverts":1,"devices":1,"restarts":0}"#
        let body = { (count: Int) in
            let quarters = Array(repeating: quarter, count: count).joined(separator: ",")
            return #"{"version":"1","adapters":[],"coverage":[\#(quarters)]}"#
        }
        #expect(pointers(body(48)) == [] && pointers(body(49)) == ["/coverage"])
        #expect(pointers(#"{"version":"1","adapters":[],"coverage":null}"#) == [])
    }
}
