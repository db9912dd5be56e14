import Foundation
import Simulation
import Testing

@testable import CityPlan

@Suite("Experience")
struct ExperienceTests {
    typealias Search = Experience.Search

    /// Of 1,000 bikes, 100 are heard within an hour, 300 within a day, 500 within a week, 600 within a month.
    private let heard = [100, 300, 500, 600]

    private func likelihood(_ heardAfter: Double?, _ lasted: Double? = nil, heard: [Int]? = nil) -> Double {
        let experience = Experience([Experience.Search(heardAfter: heardAfter, lasted: lasted)])
        return experience.logLikelihood(heard: heard ?? self.heard, of: 1000)
    }

    @Test(
        "a bike that was heard counts with the chance of that span, one that was not with the chance of silence so far",
        arguments: [
            (0.5, nil, 0.1), (1, nil, 0.1), (20, nil, 0.2), (100, 2000, 0.2), (700, 701, 0.1), (nil, nil, 0.4),
            (nil, 720, 0.4), (nil, 168, 0.5), (nil, 24, 0.7), (nil, 0, 1), (nil, 0.5, 0.95), (5000, 6000, 0.4),
        ] as [(Double?, Double?, Double)])
    func likelihood(heardAfter: Double?, lasted: Double?, chance: Double) {
        #expect(abs(likelihood(heardAfter, lasted) - log(chance)) < 0.02)
    }

    @Test("a search that ended at once says nothing, and the shorter a silent search was, the less it says")
    func censoring() {
        let (deaf, keen) = ([0, 0, 0, 0], [500, 800, 900, 950])
        func ratio(_ lasted: Double) -> Double {
            likelihood(nil, lasted, heard: deaf) - likelihood(nil, lasted, heard: keen)
        }
        #expect(abs(ratio(0)) < 1e-9)
        let ratios = [0.0, 0.2, 1, 5, 24, 100, 168, 400, 720].map(ratio)
        #expect(ratios == ratios.sorted() && ratios[8] > 1)
        // Whatever never happened in a thousand simulated bikes is unlikely, not impossible.
        #expect(likelihood(0.5, heard: deaf).isFinite)
    }

    /// A plan for a city with five stations.
    static func plan(
        after searches: [Search], _ change: (inout PlanRequest) -> Void = { _ in }
    ) async throws -> PlanReport {
        try await PlanTests.made { request in
            request.existing = Array(request.candidates.prefix(5))
            request.experience = Experience(searches)
            change(&request)
        }.0
    }

    /// The plan without experience, made once for all tests.
    private static let unweighted = Task { try await plan(after: []) }

    /// Searches as these simulated cities have them on average.
    static func likely(_ count: Int) async throws -> [Search] {
        let heard = try await unweighted.value.curve[0].heard.map(\.share)
        let hours = [0.5, 10, 100, 500]
        return (0..<count).map { number in
            let place = (Double(number) + 0.5) / Double(count)
            return Search(heardAfter: heard.firstIndex { place < $0 }.map { hours[$0] })
        }
    }

    @Test("the weights of the models follow it")
    func weights() async throws {
        let likely = try await Self.likely(12)
        let silent = [Search](repeating: .init(heardAfter: nil), count: 3)
        let bad = try await Self.plan(after: likely + silent)
        let good = try await Self.plan(after: likely + [Search](repeating: .init(heardAfter: 5), count: 3))
        #expect(bad.models[0].weight > good.models[0].weight && bad.models[3].weight < good.models[3].weight)
        #expect(good.experience?.searches == 15 && good.remarks.contains { $0.contains("15 closed searches") })
        // Searches that ended at once change nothing.
        let short = Search(heardAfter: nil, lasted: 0)
        let (none, same) = (
            try await Self.unweighted.value, try await Self.plan(after: [Search](repeating: short, count: 40))
        )
        #expect(zip(none.models, same.models).allSatisfy { abs($0.weight - $1.weight) < 1e-9 })
    }

    @Test("the map, the delays and the places agree with the first figures", arguments: [0, 60])
    func agreement(searches: Int) async throws {
        let report = try await Self.plan(after: try await Self.likely(searches))
        let last = try #require(report.curve.last)
        func share(_ horizon: Horizon) -> Double { last.heard.first { $0.within == horizon }?.share ?? -1 }
        let heard = report.areas.reduce(0) { $0 + $1.stolen * $1.heard }
        #expect(abs(heard - share(report.basis.goal)) < 1e-9)
        #expect(abs(report.areas.reduce(0) { $0 + $1.stolen } - 1) < 1e-9)
        #expect(abs(report.delay.heard - share(.month)) < 1e-9)
        #expect(searches == 0 || (report.experience?.effectiveWorlds ?? 19) < 18)
        let now = try #require(report.curve[0].heard.last)
        #expect(report.existing.reduce(0) { $0 + $1.onlyHere } <= now.share + 1e-9)
    }

    @Test("many searches leave enough worlds for a range, and the plan says that they count less")
    func tempered() async throws {
        let report = try await Self.plan(after: try await Self.likely(2000))
        let experience = try #require(report.experience)
        #expect(experience.evidence < 0.5 && abs(experience.effectiveWorlds - 9.5) < 0.01)
        #expect(report.curve[0].heard.allSatisfy { $0.low < $0.high })
        #expect(experience.compatibleWorlds > 0 && experience.spans.map(\.heard).reduce(0, +) > 0)
        let few = try #require(try await Self.plan(after: try await Self.likely(4)).experience)
        #expect(few.evidence == 1 && few.spans.allSatisfy { (0.05...0.95).contains($0.fewer) })
    }

    @Test("searches that no simulated city could bring about are refused, and the message says why")
    func misfit() async throws {
        let error = await #expect(throws: ScenarioError.self) {
            _ = try await Self.plan(after: [Search](repeating: .init(heardAfter: 0.1), count: 30))
        }
        #expect(
            error?.problem.contains("30 of the 30 bikes that were still searched for were heard within an hour") == true
        )
        #expect(error?.problem.contains("plan without experience") == true)
    }

    @Test(
        "the binomial distribution is about the exact one",
        arguments: [(10, 0.3), (50, 0.05), (200, 0.5), (30, 0.9), (5, 0.01)] as [(Int, Double)])
    func binomial(trials: Int, chance: Double) {
        var (term, sum) = (pow(1 - chance, Double(trials)), 0.0)
        for count in 0...trials {
            sum += term
            term *= Double(trials - count) / Double(count + 1) * chance / (1 - chance)
            #expect(abs(Binomial.cumulative(Double(count), of: Double(trials), chance: chance) - sum) < 0.012)
        }
        #expect(Binomial.cumulative(-1, of: Double(trials), chance: chance) == 0)
    }

    @Test("is read from a table")
    func table() throws {
        let text = "closedAfterHours,heardAfterHours\n30,2.5\n12,\n,\n"
        let experience = try PlaceTable(Array(text.utf8), source: "searches.csv").experience()
        #expect(
            experience.searches == [
                .init(heardAfter: 2.5, lasted: 30), .init(heardAfter: nil, lasted: 12), .init(heardAfter: nil),
            ])
    }

    @Test("is read from a registry’s counts, whose spans are taken at their middle")
    func counts() throws {
        let text = """
            {"until":"2026-11-21T00:00:00Z","searches":6,"counts":[{"heardWithin":"day","lasted":"week","searches":2},
            {"lasted":"hour","searches":1},{"lasted":"day","searches":1},{"heardWithin":"longer","lasted":"longer",
            "searches":1,"later":[1]},{"lasted":"longer","searches":1}]}
            """
        let searches = try SearchCounts.read(Array(text.utf8), source: "searches.json").searches
        #expect(searches.map(\.heardAfter) == [24, 24, nil, nil, nil, nil])
        #expect(searches.map { $0.lasted.rounded() } == [63, 63, 1, 5, 720, 720])
    }

    @Test(
        "what no registry writes is refused",
        arguments: [
            #"{"counts":[{"lasted":"year","searches":1}]}"#, #"{"counts":[{"lasted":"day","searches":-1}]}"#,
            #"{"counts":[{"lasted":"day","searches":1e300}]}"#, #"{"counts":[{"lasted":7,"searches":1}]}"#, "[]", "{",
        ])
    func refused(text: String) {
        #expect(throws: ScenarioError.self) { try SearchCounts.read(Array(text.utf8), source: "searches.json") }
    }
}
