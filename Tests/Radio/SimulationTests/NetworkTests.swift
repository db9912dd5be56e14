import Beacons
import Testing

@testable import Simulation

@Suite("A simulated network")
struct NetworkTests {
    private func scenario(_ network: String) throws(ScenarioError) -> Scenario {
        try Scenario(yaml: "name: n\nduration: 10m\nnetwork:\n\(network)", source: "text")
    }

    private func fates(_ scenario: Scenario, at time: Duration, count: Int = 200) -> [RequestFate] {
        var network = SimulatedNetwork(scenario)
        return (0..<count).map { _ in network.fate(at: scenario.start.advanced(by: time)) }
    }

    @Test("a network that is down accepts nothing, and accepts everything before and after")
    func away() throws {
        let scenario = try scenario("  - { from: 1m, until: 2m, lost: 1 }")
        #expect(fates(scenario, at: .seconds(60)).allSatisfy { $0.outcome == .lost })
        #expect(fates(scenario, at: .seconds(59)).allSatisfy { $0.outcome == .carried })
        #expect(fates(scenario, at: .seconds(120)).allSatisfy { $0.outcome == .carried })
    }

    @Test("shares are respected, and the same run has the same outcomes")
    func shares() throws {
        let scenario = try scenario("  - { from: 0s, until: 10m, lost: 0.2, unanswered: 0.5, delay: 2s }")
        let fates = fates(scenario, at: .seconds(300), count: 10_000)
        #expect(abs(fates.count { $0.outcome == .lost } - 2000) < 200)
        // Half of the rest.
        #expect(abs(fates.count { $0.outcome == .unanswered } - 4000) < 200)
        #expect(fates.allSatisfy { $0.delay == .seconds(2) })
        #expect(fates == self.fates(scenario, at: .seconds(300), count: 10_000))
    }

    @Test(
        "unknown troubles, and troubles out of order, are refused, and the error says what to do",
        arguments: [
            "  - { from: 1m, until: 2m }": "this entry has no effect",
            "  - { from: 2m, until: 1m, lost: 1 }": "later than",
            "  - { from: 1m, until: 3m, lost: 1 }\n  - { from: 2m, until: 4m, lost: 1 }": "in order",
            "  - { from: 1m, until: 11m, lost: 1 }": "is invalid",
            "  - { from: 1m, until: 2m, lost: 2 }": "is invalid",
            "  - { from: 1m, lost: 1 }": "‘until’ is missing",
        ])
    func refused(network: String, words: String) throws {
        let error = try #require(throws: ScenarioError.self) { try scenario(network) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test("a summary names the errors and their times")
    func summary() throws {
        let scenario = try Scenario.shipped("bike-passes-cafe")
        let nothing = Comparison(scenario.truth, [])
        let lines = SimulationSummary(
            scenario, nothing, reported: 0, delays: [], network: .init(), isListed: { _ in true }
        ).lines
        #expect(lines.contains("  missed    1"))
        // From the first frame to the last.
        #expect(lines.contains { $0.contains(/stolen bike, 3\ds to 1m1\ds/) }, "\(lines)")
        #expect(lines.last == "The reports differ from the simulation.")
    }
}
