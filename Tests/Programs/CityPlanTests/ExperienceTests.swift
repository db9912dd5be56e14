import Foundation
import Simulation
import Testing

@testable import CityPlan

@Suite("Experience")
struct ExperienceTests {
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

    @Test("the weights of the models follow it")
    func weights() async throws {
        func weights(_ searches: [Experience.Search]) async throws -> PlanReport {
            try await PlanTests.made { request in
                request.existing = Array(request.candidates.prefix(5))
                request.experience = Experience(searches)
            }.0
        }
        let silent = Experience.Search(heardAfter: nil)
        let bad = try await weights([Experience.Search](repeating: silent, count: 40))
        let good = try await weights([Experience.Search](repeating: .init(heardAfter: 5), count: 40))
        #expect(bad.models[0].weight > good.models[0].weight && bad.models[3].weight < good.models[3].weight)
        #expect(good.experience?.searches == 40 && good.remarks.contains { $0.contains("40 closed searches") })
        // Searches that ended at once change nothing.
        let short = Experience.Search(heardAfter: nil, lasted: 0)
        let (none, same) = (try await weights([]), try await weights([Experience.Search](repeating: short, count: 40)))
        #expect(zip(none.models, same.models).allSatisfy { abs($0.weight - $1.weight) < 1e-9 })
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
