import HTTPTypes
import RegistryAPI
import RegistrySQL
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Content negotiation")
struct AcceptTests {
    @Test(
        "the preferred media type is sent, or the first of equally preferred ones",
        arguments: [
            ([], "application/json"), (["*/*"], "application/json"), (["application/*"], "application/json"),
            (["text/csv"], "text/csv"), (["text/*"], "text/csv"), (["TEXT/CSV; charset=utf-8"], "text/csv"),
            (["application/json;q=0.5, text/csv"], "text/csv"),
            (["application/json;q=0.5", "text/csv;q=0.4"], "application/json"),
            (["*/*, application/json;q=0"], "application/geo+json"),
            (["application/*;q=0.2, application/gpx+xml;q=0.9, text/csv;q=0.3"], "application/gpx+xml"),
            (["text/event-stream"], "text/event-stream"), (["x, text/csv"], "text/csv"),
            (["text/csv ; q=1.5 "], "text/csv"), (["image/png"], nil), (["text/csv;q=0"], nil), (["text/csv;q=x"], nil),
            ([""], nil), (["*/csv"], nil),
        ] as [([String], String?)]
    )
    func best(fields: [String], expected: String?) {
        let offered = [
            "application/json", "application/geo+json", "application/gpx+xml", "text/csv", "text/event-stream",
        ]
        #expect(Accept(fields).best(of: offered) == expected)
    }

    @Test("the trail is available in every format by Accept; other formats are refused with a list of those offered")
    func forms() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let station = try await registry.newStation().token
        _ = try await registry.report([Samples.visit(from: registry.clock.now)], as: station)
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)/sightings"
        for (form, beginning) in [
            ("application/json", #"{"items":[{"#), ("application/geo+json", #"{"caution":"#),
            ("application/gpx+xml", "<?xml"), ("text/csv", "id,station,"),
        ] {
            let answer = try await registry.call(.get, path, token: owner, headers: [.accept: form])
            #expect(answer.status == 200 && answer.headers[.contentType]?.hasPrefix(form) == true)
            #expect(answer.headers[.vary]?.contains("Accept") == true && answer.headers[.cacheControl] == "no-store")
            #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix(beginning))
        }
        let other = try await registry.call(.get, path, token: owner, headers: [.accept: "image/png"])
        #expect(other.status == 406 && other.problem == "not-acceptable")
        #expect(try other.value(ProblemDetails.self).detail.contains("text/csv"))
    }

    @Test("Link leads to the next part of a long file")
    func pages() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let station = try await registry.newStation().token
        let visits = (1...3 as ClosedRange<UInt64>).map { Samples.visit($0, from: registry.clock.now) }
        _ = try await registry.report(visits, as: station)
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)/sightings"
        let headers: HTTPFields = [.accept: "text/csv"]
        let first = try await registry.call(.get, path + "?limit=2", token: owner, headers: headers)
        let name = try #require(HTTPField.Name("Link"))
        let link = try #require(first.headers[name])
        let next = String(link.dropFirst().prefix { $0 != ">" })
        let second = try await registry.call(.get, next, token: owner, headers: headers)
        let lines = [first, second].map { String(decoding: $0.body, as: UTF8.self).split(separator: "\r\n").count }
        #expect(lines == [3, 2])
        #expect(second.headers[name] == nil)
        #expect(try await registry.call(.get, path + "?limit=10001", token: owner, headers: headers).status == 400)
    }

    @Test("an owner can dismiss a sighting")
    func dismissal() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let visit = Samples.visit(from: registry.clock.now)
        _ = try await registry.report([visit], as: try await registry.newStation().token)
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)/sightings"
        let answer = try await registry.call(.post, "\(path)/\(visit.id)/dismissal", token: owner)
        #expect(answer.status == 200)
        #expect(try answer.value(Sighting.self).dismissed == registry.clock.now)
        let unknown = try await registry.call(.post, "\(path)/\(report.id)/dismissal", token: owner)
        #expect(unknown.status == 404)
        let body = try await registry.call(.post, "\(path)/\(visit.id)/dismissal", token: owner, body: #"{"x":1}"#)
        #expect(body.status == 422)
    }

    @Test("a station without a wall clock sends ages, and its times are marked as uncertain")
    func secondsAgo() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        registry.clock.advance(by: .seconds(7200))
        var visit = Samples.visit(from: Timestamp(milliseconds: 5000), lasting: .seconds(60))
        visit.secondsAgo = 600.5
        let results = try await registry.report([visit], as: try await registry.newStation().token)
        #expect(results.map(\.result) == [.stored])
        let sighting = try #require(try await registry.sightings(of: report, by: owner).first)
        #expect(sighting.timeUncertain)
        #expect(sighting.lastSeen == registry.clock.now.advanced(by: .milliseconds(-600_500)))
        #expect(sighting.firstSeen.duration(to: sighting.lastSeen) == .seconds(60))
    }
}
