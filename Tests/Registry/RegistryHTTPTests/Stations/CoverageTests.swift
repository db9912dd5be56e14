import Evidence
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Coverage over HTTP")
struct CoverageTests {
    private static func heartbeat(_ quarters: String...) -> String {
        #"{"version":"1","adapters":[],"coverage":[\#(quarters.joined(separator: ","))]}"#
    }

    private static func quarter(_ begins: String, listened: Int = 890) -> String {
        #"{"begins":"\#(begins)","listened":\#(listened),"adverts":9,"devices":3,"restarts":0,"listAge":5}"#
    }

    @Test("a heartbeat with quarters is answered with what became of them; they are not part of the station's state")
    func receipt() async throws {
        let registry = try Harness()
        let station = try await registry.newStation()
        let beat = { (body: String) in
            try await registry.call(.put, "/v1/station/heartbeat", token: station.token, body: body)
        }
        let body = Self.heartbeat(
            Self.quarter("2026-11-21T11:45:00Z"), Self.quarter("2026-11-21T12:00:00Z"),
            Self.quarter("2026-11-19T11:30:00Z"))
        let first = try await beat(body)
        #expect(first.status == 200)
        #expect(try first.value(CoverageReceipt.self) == CoverageReceipt(stored: 1, ignored: 2))
        let changed = Self.heartbeat(Self.quarter("2026-11-21T11:45:00Z", listened: 1))
        #expect(try await beat(changed).value(CoverageReceipt.self) == CoverageReceipt(stored: 0, ignored: 1))
        #expect(try await beat(Self.heartbeat()).value(CoverageReceipt.self) == CoverageReceipt(stored: 0, ignored: 0))
        #expect(try await beat(#"{"version":"1","adapters":[]}"#).status == 204)

        let token = try await registry.newOperator()
        let path = "/v1/stations/\(station.station.id)"
        let shown = try await registry.call(.get, path, token: token)
        #expect(!String(decoding: shown.body, as: UTF8.self).contains("coverage"))
        for (path, token) in [("\(path)/coverage", token), ("/v1/station/coverage", station.token)] {
            let today: StationCoverage = try await registry.call(.get, path, token: token).value()
            #expect(today.day.description == "2026-11-21" && today.quarters.map(\.listened) == [890])
            let earlier: StationCoverage = try await registry.call(.get, path + "?day=2026-11-20", token: token).value()
            #expect(earlier.day.description == "2026-11-20" && earlier.quarters == [])
        }
    }

    @Test("an operator sees in the metrics that a station contradicted what it had told")
    func contradiction() async throws {
        let options = ServerOptions()
        let registry = try Harness(options: options)
        let station = try await registry.newStation()
        for listened in [890, 890, 1] {
            let body = Self.heartbeat(Self.quarter("2026-11-21T11:45:00Z", listened: listened))
            _ = try await registry.call(.put, "/v1/station/heartbeat", token: station.token, body: body)
        }
        #expect(options.metrics.text(nil).contains("\nfindmybike_coverage_contradictions_total 1\n"))
    }

    @Test("only operators and the station itself can read what it heard")
    func access() async throws {
        let registry = try Harness()
        let station = try await registry.newStation()
        let other = try await registry.newStation()
        let owner = try await registry.newOwner()
        let path = "/v1/stations/\(station.station.id)/coverage"
        for token in [station.token, other.token, owner] {
            #expect(try await registry.call(.get, path, token: token).status == 403)
        }
        #expect(try await registry.call(.get, path).status == 401)
        let token = try await registry.newOperator()
        #expect(try await registry.call(.get, "/v1/station/coverage", token: token).status == 403)
        #expect(try await registry.call(.get, "/v1/station/coverage", token: owner).status == 403)
        let none = try await registry.call(.get, "/v1/stations/\(StationID(high: 9, low: 9))/coverage", token: token)
        #expect(none.status == 404 && none.problem == "not-found")
    }

    @Test("a day that is none is refused", arguments: ["", "today", "2026-02-30", "2026-11-21T00:00:00Z", "1"])
    func days(day: String) async throws {
        let registry = try Harness()
        let token = try await registry.newStation().token
        let answer = try await registry.call(.get, "/v1/station/coverage?day=\(day)", token: token)
        #expect(answer.status == 400 && answer.problem == "invalid-query")
    }

    @Test(
        "a heartbeat with a malformed quarter is refused as a whole, and days at the ends of time are harmless",
        arguments: [
            (quarter("2026-11-21T11:45:01Z"), ["/coverage/0/begins"]),
            (quarter("2026-11-21T11:45:00Z", listened: 901), ["/coverage/0/listened"]),
            (quarter("0000-01-01T00:00:00Z"), []), (quarter("9999-12-31T23:45:00Z"), []),
        ] as [(String, [String])])
    func malformed(quarter: String, pointers: [String]) async throws {
        let registry = try Harness()
        let token = try await registry.newStation().token
        let answer = try await registry.call(.put, "/v1/station/heartbeat", token: token, body: Self.heartbeat(quarter))
        #expect(answer.status == (pointers.isEmpty ? 200 : 422) && answer.pointers == pointers)
        for day in ["0000-01-01", "9999-12-31"] {
            let coverage: StationCoverage = try await registry.call(
                .get, "/v1/station/coverage?day=\(day)", token: token
            ).value()
            #expect(coverage.quarters == [])
        }
    }

    @Test("a pack names a silent station by its area only, and its signature covers that")
    func pack() async throws {
        let keyring = Keyring(at: HandClock().now)
        let registry = try Harness(keyring: keyring)
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let draft = MissingReportDraft(lastPlace: Samples.place, policeReference: "CRIME-7")
        let report: MissingReport = try await registry.post("/v1/bikes/\(bike.id)/reports", token: owner, draft).value()
        let station = try await registry.newStation(at: Place(latitude: 51.5031, longitude: -0.1249))
        registry.clock.advance(by: .seconds(3600))
        _ = try await registry.call(
            .put, "/v1/station/heartbeat", token: station.token,
            body: Self.heartbeat(Self.quarter("2026-11-21T12:15:00Z"), Self.quarter("2026-11-21T12:30:00Z")))
        let answer = try await registry.call(.get, "/v1/bikes/\(bike.id)/reports/\(report.id)/evidence", token: owner)
        let pack = try EvidenceVerification([UInt8](answer.body), pinned: HashValue(keyring.current.fingerprint))
        let silent = try #require(pack.coverage?.stations.first)
        #expect(pack.coverage?.stations.count == 1 && silent.id == station.station.id)
        #expect(silent.area.latitude == 51.5 && silent.area.longitude == -0.12)
        #expect(silent.spans.map(\.listened) == [1780])
        let bytes = String(decoding: answer.body, as: UTF8.self)
        #expect(!bytes.contains("51.5031") && !bytes.contains("Café"))
    }
}
