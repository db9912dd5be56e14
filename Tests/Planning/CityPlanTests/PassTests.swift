import Beacons
import Presence
import Scanning
import Simulation
import TestSupport
import Testing

@testable import CityPlan

@Suite("A single pass")
struct PassTests {
    @Test(
        "is heard as often as in the monitor’s own simulation",
        arguments: [(1, 6.0, 10.0), (1, 30, 4), (5, 6, 10)] as [(Int, Double, Double)])
    func monitor(interval: Int, offset: Double, speed: Double) async throws {
        let survey = PassSurvey(interval: .seconds(interval), measuredPower: -59)
        let passes = 200
        let scenario = try survey.scenario(offset: offset, speed: speed, passes: passes, seed: 12)
        var tracker = PresenceTracker(configuration: try PresenceConfiguration(enterFrames: 1))
        var reported: Set<BeaconIdentity> = []
        for try await batch in SimulatedScanner(scenario, pacing: .asFastAsPossible).batches() {
            batch.forEach { report, data in
                guard let beacon = IBeacon(advertisingData: data) else { return }
                reported.formUnion(tracker.observe(beacon, rssi: report.rssi, at: report.time).map(\.visit.identity))
            }
        }
        let share = survey.heardShare(offset: offset, speed: speed, loss: 0, count: 400, seed: 1)
        // Three standard errors of the difference; the benchmark compares 20,000 passes.
        let error = 3 * (share * (1 - share) * (1 / 200.0 + 1 / 400.0)).squareRoot()
        #expect(abs(Double(reported.count) / Double(passes) - share) <= max(error, 0.01))
    }

    @Test("is heard as often between two speeds of the table as when it is played")
    func speeds() async throws {
        let survey = PassSurvey(interval: .seconds(10), measuredPower: -59)
        let table = try await PassTable(survey, passes: 6000, seed: 5)
        let errors = [(6.0, 9.0), (6, 14.5), (30, 5.75), (30, 9), (30, 14.5), (45, 3.65), (45, 5.75)].map {
            offset, speed in
            table.chance(offset: offset, speed: speed)
                - survey.heardShare(offset: offset, speed: speed, loss: 0, count: 6000, seed: 6)
        }
        // Straight lines are 1.1 % of all passes too optimistic on average.
        #expect(abs(errors.reduce(0, +)) / Double(errors.count) < 0.007, "\(errors)")
        #expect(errors.allSatisfy { abs($0) < 0.03 }, "\(errors)")
    }

    @Test("is heard less often far away, fast, and behind walls")
    func monotone() async throws {
        let table = try await PassTable(PassSurvey(interval: .seconds(2), measuredPower: -59), passes: 60, seed: 3)
        let near = table.chance(offset: 6, speed: 4)
        #expect(near > table.chance(offset: 60, speed: 4))
        #expect(near > table.chance(offset: 6, speed: 18))
        #expect(near > table.chance(offset: 6, speed: 4, loss: 15))
        #expect(table.chance(offset: 140, speed: 4) < 0.1)
        #expect(table.chance(offset: 1e9, speed: 4) == 0)
    }
}
