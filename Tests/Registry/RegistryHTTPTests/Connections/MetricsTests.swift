import Foundation
import HTTPClient
import HTTPTypes
import NIOCore
import Operations
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Syntax
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Metrics")
struct MetricsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The samples that Prometheus' own parser reads.
    private func samples(_ text: String) async throws -> [String: Double] {
        let python = Repository.path(".build/venv/bin/python")
        let result = try await BuiltProgram(path: python).run([try LiveServer.fixture("metrics.py")], input: text)
        #expect(result.status == 0, "\(result.errors) (run scripts/prepare.sh tests)")
        return try JSONDecoder().decode([String: Double].self, from: Data(result.output.utf8))
    }

    @Test("Prometheus can parse the metrics, and they count the requests")
    func text() async throws {
        let options = ServerOptions()
        let registry = try Harness(options: options)
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        _ = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation()
        let visits = [
            Samples.visit(from: registry.clock.now),
            Samples.visit(2, of: Samples.identity(9), from: registry.clock.now),
        ]
        _ = try await registry.report(visits, as: station.token)
        for _ in 0..<3 { _ = try await registry.call(.get, "/v1/bikes/\(bike.id)", token: owner) }
        _ = try await registry.call(.get, "/v1/made/up/\(bike.id)")
        _ = try await registry.call(.init("BREW") ?? .get, "/v1/owners")
        let samples = try await samples(options.metrics.text(try await registry.operations.statistics()))
        let route = "method=GET,route=/v1/bikes/{bike}"
        #expect(samples["findmybike_http_requests_total{\(route),status=200}"] == 3)
        #expect(samples["findmybike_http_requests_in_progress{\(route)}"] == 0)
        #expect(samples["findmybike_http_request_duration_seconds_count{\(route)}"] == 3)
        #expect(samples["findmybike_http_request_duration_seconds_bucket{le=+Inf,\(route)}"] == 3)
        #expect(samples["findmybike_http_requests_total{method=other,route=none,status=404}"] == 1)
        #expect(samples["findmybike_http_requests_total{method=other,route=none,status=405}"] == 1)
        #expect(samples["findmybike_visits_total{result=stored}"] == 1)
        #expect(samples["findmybike_visits_total{result=ignored}"] == 1)
        #expect(samples["findmybike_sightings_total{}"] == 1)
        #expect(samples["findmybike_missing_bikes{}"] == 1)
        #expect(samples["findmybike_stations{}"] == 1 && samples["findmybike_stations_new{}"] == 1)
        #expect(samples["findmybike_stations_silent{}"] == 0 && samples["findmybike_stations_deaf{}"] == 0)
        #expect(try #require(samples["findmybike_database_bytes{}"]) > 4096)
        #expect(samples["findmybike_store_up{}"] == 1)
    }

    @Test("the alert rules name metrics that the registry serves")
    func rules() async throws {
        let pair = try await TestCertificate.make("served", in: folder)
        let metrics = RegistryMetrics(
            openConnections: { 0 }, tls: try TLSFiles(certificate: pair.certificate, key: pair.key))
        metrics.requests.began(.get, "/livez")
        metrics.requests.ended(.get, "/livez", status: 200, after: .zero)
        let served = metrics.text(try await Harness().operations.statistics())
        let rules = try String(
            contentsOfFile: Repository.path("config/prometheus/findmybike.rules.yaml"), encoding: .utf8)
        let names = Set(rules.matches(of: #/findmybike_[a-z_]+/#).map { String(rules[$0.range]) })
            .filter { !$0.hasPrefix("findmybike_monitor_") }
        #expect(names.count > 5)
        for name in names { #expect(served.contains("# TYPE \(name) "), "\(name)") }
    }

    @Test("numbers and labels can be parsed back")
    func escaping() async throws {
        var text = PrometheusText()
        let values = [0, 1, -1, 0.1, 1e-9, 1e300, 12_345_678_901_234]
        text.add(
            .gauge, "test", "A help.",
            values.enumerated().map { .init($1, labels: [("number", "\($0)\\ \"quoted\"\n")]) }
        )
        let samples = try await samples(text.text)
        for (number, value) in values.enumerated() {
            #expect(samples["test{number=\(number)\\ \"quoted\"\n}"] == value)
        }
    }

    @Test("metrics are served on a separate address")
    func server() async throws {
        let registry = try Harness()
        #expect(try await registry.call(.get, "/metrics").status == 404)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = RegistryHTTPServer.buildMetricsApplication(
            operations: registry.operations, options: ServerOptions(), host: "127.0.0.1", port: 0, logger: .silent
        ) { continuation.yield($0.port ?? 0) }
        try await LiveServer.running([server], ports) { port, _ in
            let http = try HTTPConnection()
            let answer = try await http.send(.init(.get, url: "http://127.0.0.1:\(port)/metrics"))
            #expect(answer.status == 200)
            #expect(answer[header: "content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(try await samples(String(decoding: answer.body, as: UTF8.self))["findmybike_store_up{}"] == 1)
            #expect(try await http.send(.init(.post, url: "http://127.0.0.1:\(port)/v1/owners")).status == 404)
        }
    }
}
