import Foundation
import HTTPTypes
import Logging
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("The access log")
struct AccessLogTests {
    @Test("the log identifies requests by identifiers, without tokens, codes, coordinates or URLs")
    func discretion() async throws {
        let lines = LogLines()
        let registry = try Harness(appKey: "app-key", logger: lines.logger())
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation()
        var visit = Samples.visit(from: registry.clock.now)
        visit.place = Place(latitude: 12.345678, longitude: 98.765432)
        _ = try await registry.report([visit], as: station.token)
        _ = try await registry.call(.get, "/v1/bikes?cursor=\(owner)", token: owner)
        #expect(try await registry.call(.get, "/bikes?key=app-key").status == 200)
        let text = lines.text
        for secret in [
            owner, "app-key", station.token, "12.345678", "98.765432", "51.5", "CRIME-7", "cursor", "Bearer",
        ] {
            #expect(!text.contains(secret), "\(secret)")
        }
        let stored = try #require(text.split(separator: "\n").first { $0.hasPrefix("sighting stored") })
        for id in [visit.id.description, station.station.id.description, report.id.description] {
            #expect(stored.contains(id))
        }
        #expect(text.contains("method=POST"))
        #expect(text.contains("route=/v1/bikes/{bike}/reports") || text.contains("route=/v1/bikes/:bike/reports"))
    }

    @Test("what stations and probes ask all day is a detail; refused visits and new sightings are in every log")
    func repeatedRequests() async throws {
        let lines = LogLines()
        let registry = try Harness(logger: lines.logger(.info))
        let owner = try await registry.newOwner()
        _ = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let station = try await registry.newStation()
        let heartbeat = #"{"version":"1.0.0","adapters":[]}"#
        let before = lines.requests.count
        for _ in 0..<2 {
            _ = try await registry.report([Samples.visit(from: registry.clock.now)], as: station.token)
            for path in ["/v1/missing", "/livez", "/readyz"] {
                #expect(try await registry.call(.get, path, token: station.token).status == 200)
            }
            let path = "/v1/station/heartbeat"
            #expect(try await registry.call(.put, path, token: station.token, body: heartbeat).status < 300)
        }
        #expect(try await registry.call(.get, "/v1/missing", token: "unknown").status == 401)
        #expect(lines.requests.count == before, "\(lines.requests)")
        // The second report of a visit is merged with the first.
        #expect(lines.messages.filter { $0 == "sighting stored" }.count == 1)
        #expect(try await registry.call(.post, "/v1/sightings", token: owner, body: "{}").status == 403)
        #expect(try await registry.call(.put, "/v1/station/heartbeat", token: "unknown", body: heartbeat).status == 401)
        let refused = lines.requests.dropFirst(before)
        #expect(refused.count == 2, "\(refused)")
        #expect(refused.contains { $0.contains("status=403") && $0.contains("route=/v1/sightings") })
        #expect(refused.contains { $0.contains("status=401") && $0.contains("route=/v1/station/heartbeat") })
    }

    @Test("a request that is refused before it is read is logged")
    func refused() async throws {
        let lines = LogLines()
        let logger = lines.logger()
        try await LiveServer.run(ServerOptions(timeouts: .patient), logger: logger) { server in
            let _: LiveServer.Encounter = try await server.meet("request", [#"nonsense\r\n\r\n"#])
            #expect(lines.text.contains("status=400"), "\(lines.text)")
        }
    }

    @Test(
        "a request that is refused after another one waits for its response, and is logged once",
        arguments: [#"nonsense\r\n\r\n"#, #"GET /livez HTTP/1.1\r\nHost: a\r\nIf-Match: \xcc\x81\r\n\r\n"#])
    func refusedLater(second: String) async throws {
        let lines = LogLines()
        let logger = lines.logger()
        try await LiveServer.run(ServerOptions(timeouts: .patient), logger: logger) { server in
            let first = #"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"#
            let statuses: [Int] = try await server.meet("pipelined", [first + second])
            #expect(statuses == [200, 400])
        }
        #expect(lines.requests.count == 2, "\(lines.requests)")
        #expect(lines.requests.contains { $0.contains("status=200") && $0.contains("route=/livez") })
        #expect(lines.requests.contains { $0.contains("status=400") && $0.contains("route=-") })
    }

    @Test("a request whose body is too slow is logged once, with its call and the status that its client got")
    func slowBody() async throws {
        let lines = LogLines()
        let logger = lines.logger()
        let options = ServerOptions(timeouts: SlowClientTests.timeouts(short: .body))
        try await LiveServer.run(options, logger: logger) { server in
            let encounter: LiveServer.Encounter = try await server.meet("slow-body")
            #expect(encounter.status == 408)
        }
        let line = try #require(lines.requests.first)
        #expect(lines.requests.count == 1, "\(lines.requests)")
        #expect(line.contains("status=408") && line.contains("method=POST"), "\(line)")
        #expect(line.contains("route=/v1/station/enrolment"), "\(line)")
    }
}

extension LogLines {
    /// The lines about requests.
    fileprivate var requests: [String] { all.filter { $0.hasPrefix("request ") } }
}
