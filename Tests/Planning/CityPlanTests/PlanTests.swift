import Foundation
import Simulation
import Testing

@testable import CityPlan

@Suite("A plan")
struct PlanTests {
    private static func request(_ city: SyntheticCity, budget: Int = 4) throws -> PlanRequest {
        var request = PlanRequest(
            name: "Tiny <b>&amp;", candidates: city.candidates, budget: budget, models: try .shipped())
        request.worlds = 19
        request.bikes = 40
        request.choiceBikes = 300
        request.passes = 10
        return request
    }

    static func made(_ change: (inout PlanRequest) -> Void = { _ in }) async throws -> (PlanReport, SyntheticCity) {
        let synthetic = try SyntheticCity(.grid, kilometres: 1.5, candidates: 20, seed: 2)
        var request = try Self.request(synthetic)
        change(&request)
        let city = try await City(synthetic.streets, seed: request.seed)
        return (try await CityPlanner.plan(request, for: city), synthetic)
    }

    @Test("is the same for the same seed, and another for another")
    func repeatable() async throws {
        let (one, two) = (try await Self.made().0, try await Self.made().0)
        #expect(one == two)
        let other = try await Self.made { $0.seed = 9 }.0
        #expect(one != other)
    }

    @Test("work on several processors has its results in order", arguments: [1, 2, 7])
    func parallelism(workers: Int) async throws {
        let results = try await parallel(50, workers: workers) { $0 * $0 }
        #expect(results == (0..<50).map { $0 * $0 })
    }

    @Test("says more with more stations, and never more than all")
    func curve() async throws {
        let (report, _) = try await Self.made()
        #expect(report.curve.count == report.places.count + 1)
        for horizon in Horizon.allCases.indices {
            let shares = report.curve.map { $0.heard[horizon].share }
            #expect(shares == shares.sorted() && shares[0] == 0 && shares.allSatisfy { $0 <= 1 })
            #expect(report.curve.allSatisfy { $0.heard[horizon].low <= $0.heard[horizon].high })
        }
        #expect(report.guarantee.proved >= 0.63 && (report.guarantee.exact ?? 0) >= report.guarantee.proved - 1e-9)
        let weights = report.models.map(\.weight).reduce(0, +)
        #expect(abs(weights - 1) < 1e-6)
        // The optimistic model is heard more than the pessimistic one.
        #expect((report.models[3].planned.last?.share ?? 0) > (report.models[0].planned.last?.share ?? 1))
    }

    @Test("two stations at one place: neither adds what the other hears")
    func existing() async throws {
        let (report, _) = try await Self.made { request in
            request.existing = [request.candidates[0], request.candidates[0], request.candidates[1]]
        }
        #expect(report.existing.count == 3)
        #expect(report.curve[0].heard[3].share > 0)
        // Their chances are drawn apart, so each hears a few bikes that the other does not.
        #expect(report.existing[0].onlyHere < 0.1 && report.existing[1].onlyHere < 0.1)
    }

    @Test("the page is complete in itself, and names from files cannot change it")
    func page() async throws {
        let (report, city) = try await Self.made { request in
            request.candidates = request.candidates.map {
                Site(name: "<script>alert(1)</script>\"&", kind: "'><img src=x>", place: $0.place)
            }
        }
        let html = CouncilPage(report, streets: city.streets).html
        for part in ["<script", "<img", "http://", "https://", "url(", "@import", "<link", "Tiny <b>"] {
            #expect(!html.contains(part), "\(part)")
        }
        #expect(html.contains("Tiny &lt;b&gt;&amp;amp;") && html.contains("&lt;script&gt;"))
        #expect(html.components(separatedBy: "<svg").count == html.components(separatedBy: "</svg>").count)
        #expect(html.components(separatedBy: "<svg").count == 6)
        let json = try #require(try JSONSerialization.jsonObject(with: report.geoJSON()) as? [String: Any])
        #expect((json["features"] as? [Any])?.count ?? 0 > report.places.count)
    }

    @Test("a city without candidates, or a budget of nothing, has an empty plan")
    func nothing() async throws {
        let (report, city) = try await Self.made { $0.candidates = [] }
        #expect(report.places.isEmpty && report.curve.count == 1)
        #expect(CouncilPage(report, streets: city.streets).html.contains("</html>"))
        let (other, _) = try await Self.made { $0.budget = -5 }
        #expect(other.places.isEmpty)
    }

    @Test("numbers are written for people")
    func numbers() {
        #expect(Plain.number(85) == "85" && Plain.number(0.5) == "0.5" && Plain.time(0.01) == "1 minute")
        #expect(Percent.text(0.414) == "41 %" && Percent.text(0.0123) == "1.2 %" && Percent.text(2) == "100 %")
        // Rounded once.
        #expect(Percent.text(0.3446) == "34 %" && Percent.text(0.345) == "35 %" && Percent.text(0.0996) == "10 %")
        #expect(Plain.degrees(-0.000_004) == "0.00000" && Plain.degrees(-52.37) == "-52.37000")
        #expect(PlanReport.milestones(25) == [0, 1, 2, 5, 10, 25] && PlanReport.milestones(0) == [0])
    }
}
