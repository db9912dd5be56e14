import Simulation
import Testing

@testable import CityPlan

@Suite("What a council reads")
struct CouncilTests {
    private static func page(_ change: (inout PlanRequest) -> Void) async throws -> (PlanReport, String) {
        let (report, city) = try await PlanTests.made(change)
        return (report, CouncilPage(report, streets: city.streets).html)
    }

    @Test("the first sentence says what new stations add to those that exist")
    func lead() async throws {
        let (report, page) = try await Self.page { request in
            request.existing = Array(request.candidates.prefix(2))
            request.vehicles = 1
        }
        #expect(page.contains("The 2 existing stations and the 1 vehicle with a station hear about"))
        #expect(page.contains("which is \(Percent.number(report.added.share)) more"))
        let step = try #require(report.curve.last?.heard.first { $0.within == report.basis.goal })
        let now = try #require(report.curve[0].heard.first { $0.within == report.basis.goal })
        #expect(abs(report.added.share - (step.share - now.share)) < 1e-9)
        #expect(report.added.low <= report.added.share && report.added.share <= report.added.high)
    }

    @Test("a made-up city is marked as such, more stations than places is said, and a kind is not said twice")
    func banner() async throws {
        let (report, page) = try await Self.page { request in
            request.isMadeUp = true
            request.budget = 50
            request.candidates = request.candidates.enumerated().map { index, site in
                Site(name: index % 2 == 0 ? "The Garage" : "Sprocket", kind: "garage", place: site.place)
            }
        }
        #expect(page.contains("This city is made up.") && page.contains("Heard is not found."))
        #expect(page.contains("The Garage<small>0.") || page.contains("The Garage<small>-0."))
        #expect(page.contains("Sprocket<small>garage · "))
        #expect(report.basis.budget == 50 && report.places.count < 50 && report.warnings.count == 1)
    }

    @Test("if nothing is heard, nothing is promised")
    func silence() async throws {
        let (report, page) = try await Self.page { request in
            // Somewhere else on the Earth.
            request.candidates = [Site(name: "far", place: Coordinates(within: 50, 8))]
        }
        #expect(report.remarks.isEmpty && page.contains("No place for a new station hears any"))
        #expect(!page.contains("This city is made up."))
    }

    @Test("few worlds that remain are said beside the first figures, but not if nothing was lost")
    func fewWorlds() async throws {
        func report(_ searches: [Experience.Search]) async throws -> PlanReport {
            try await ExperienceTests.plan(after: searches)
        }
        let lost = try await report(try await ExperienceTests.likely(400))
        #expect(lost.warnings.contains { $0.contains("So each search counts as only") })
        #expect(lost.warnings.contains { $0.contains("of 19 simulated cities agree") })
        let kept = try await report([Experience.Search](repeating: .init(heardAfter: nil, lasted: 0), count: 400))
        #expect(kept.experience?.effectiveWorlds.rounded() == 19 && kept.warnings.isEmpty)
    }

    @Test("streets that do not connect with the others are said")
    func leftOut() async throws {
        let synthetic = try SyntheticCity(.grid, kilometres: 1.5, candidates: 20, seed: 2)
        let (town, island) = (Cities.line(metres: 2000, y: 0), Cities.line(metres: 300, y: 5000))
        let streets = try StreetNetwork(town + island, source: "map")
        var request = PlanRequest(name: "Two", candidates: synthetic.candidates, budget: 1, models: try .shipped())
        (request.worlds, request.bikes, request.choiceBikes, request.passes) = (19, 20, 50, 10)
        let report = try await CityPlanner.plan(request, for: City(streets, seed: 1))
        #expect(abs(report.basis.kilometresLeftOut - 0.3) < 0.01)
        #expect(report.warnings.contains { $0.contains("1 of 3 km of streets do not connect with the others") })
        let page = CouncilPage(report, streets: streets).html
        #expect(
            page.contains("without 1 km that do not connect") && page.contains("1 of 3 km of streets do not connect"))
    }

    @Test(
        "the classes of the map hold nearly all thefts, and the lowest and the highest are open",
        arguments: [
            ([0.31, 0.44, 0.58], ["under 40 %", "40–50 %", "50 % or more"]),
            ([0, 0, 0], ["under 5 %", "5 % or more"]),
            ([1, 1], ["under 95 %", "95 % or more"]),
            ([0.02, 0.5, 0.97], ["under 20 %", "20–40 %", "40–60 %", "60–80 %", "80 % or more"]),
        ] as [([Double], [String])])
    func shades(heard: [Double], names: [String]) {
        let areas = heard.map { PlanReport.Area(latitude: 0, longitude: 0, stolen: 1, heard: $0) }
        let shades = MapShades(areas)
        #expect(shades.legend.map(\.name) == names)
        #expect(shades.legend.first?.colour == 0 && shades.legend.last?.colour == 4)
        #expect(shades.index(of: heard[0]) < names.count)
    }

    @Test("places outside of the city, and thefts there, are counted as such")
    func outside() async throws {
        let synthetic = try SyntheticCity(.grid, kilometres: 1, candidates: 3, seed: 2)
        let far = Coordinates(within: 4.9, 52.3)
        let near = synthetic.candidates[0].place
        let city = try await City(
            synthetic.streets,
            thefts: [
                TheftPlace(place: far, weight: 1), TheftPlace(place: near, weight: 2),
                TheftPlace(place: near, weight: 0),
            ], seed: 1)
        #expect(city.theftPlaces == 1)
        #expect(city.near(synthetic.candidates + [Site(name: "far", place: far)]) == 3)
    }

    @Test("long streets and crowded places need bounded memory")
    func bounds() async throws {
        // 200 km from corner to corner, many times: the index must not hold each square of their rectangles.
        let lines = (0..<300).map { number in
            let shift = Double(number) / 1000
            return StreetLine(
                points: [Coordinates(within: 0, 0), Coordinates(within: 1 + shift, 1.7 - shift)], weight: 1)
        }
        let network = try StreetNetwork(lines, source: "map")
        #expect(PieceIndex(network, side: 200).nearest(to: MapPoint(x: 0, y: 0)) != nil)
        #expect(throws: ScenarioError.self) {
            try StreetNetwork((0..<20).flatMap { _ in lines }, source: "map")
        }
        await #expect(throws: ScenarioError.self) {
            _ = try await Coverage(
                of: [MapPoint](repeating: MapPoint(x: 0, y: 0), count: 1001), in: Cities.straight(metres: 200),
                index: PieceIndex(Cities.straight(metres: 200), side: 200), reach: 50)
        }
        let points = [MapPoint](repeating: MapPoint(x: 0, y: 0), count: 20)
        await #expect(throws: ScenarioError.self) {
            _ = try await Coverage(
                of: points, in: network, index: PieceIndex(network, side: 200), reach: 50_000, most: 100)
        }
    }
}
