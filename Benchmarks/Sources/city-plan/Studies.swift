import Beacons
import CityPlan
import Foundation
import Presence
import Scanning
import Simulation

/// Comparisons with the monitor’s simulation and with studies.
extension CityPlanBenchmark {
    /// One pass in the plan’s table and in the monitor’s simulation, 20,000 times each.
    static func pass() async throws {
        for (milliseconds, offset, speed) in [
            (1000, 6.0, 10.0), (1000, 30, 4), (1000, 50, 4), (2000, 10, 4), (5000, 6, 10), (5000, 20, 4),
            (10_000, 6, 4),
            // Between the speeds, and some between the distances, of the table.
            (1000, 61, 2.25), (1000, 30, 14.5), (2000, 6, 24), (2000, 47, 9), (5000, 6, 14.5), (5000, 6, 24),
            (5000, 47, 3.65), (10_000, 6, 9), (10_000, 30, 5.75), (10_000, 6, 14.5),
        ] {
            let survey = PassSurvey(interval: .milliseconds(milliseconds), measuredPower: -59)
            let table = try await PassTable(survey, passes: 4000, seed: 77)
            var heard = 0
            for seed in 1...20 as ClosedRange<UInt64> { heard += try await monitor(survey, offset, speed, seed: seed) }
            let (plan, monitor) = (table.chance(offset: offset, speed: speed), Double(heard) / 20_000)
            print(
                "seeds 1 to 20, every \(milliseconds) ms, \(offset) m off, \(speed) m/s: plan \(percent(plan)), monitor "
                    + "\(percent(monitor)), difference \(percent(abs(plan - monitor)))")
        }
    }

    private static func monitor(
        _ survey: PassSurvey, _ offset: Double, _ speed: Double, seed: UInt64
    ) async throws -> Int {
        let scenario = try survey.scenario(offset: offset, speed: speed, passes: 1000, seed: seed)
        var tracker = PresenceTracker(configuration: try PresenceConfiguration(enterFrames: 1))
        var reported: Set<BeaconIdentity> = []
        for try await batch in SimulatedScanner(scenario, pacing: .asFastAsPossible).batches() {
            batch.forEach { report, data in
                guard let beacon = IBeacon(advertisingData: data) else { return }
                reported.formUnion(tracker.observe(beacon, rssi: report.rssi, at: report.time).map(\.visit.identity))
            }
        }
        return reported.count
    }

    /// The share of streets that vehicles drive on in a day, in a city of about Manhattan’s size.
    static func fleets() async throws {
        for plan in SyntheticCity.Plan.allCases {
            let streets = try SyntheticCity(plan, kilometres: 7.7, candidates: 1, seed: 1).streets
            let city = try await City(streets, seed: 1)
            let fleets = [1, 5, 10, 30, 100, 1000]
            // A taxi of two shifts drives about 16 hours at 4 m/s.
            let shares = city.streetShares(ofFleets: fleets, hours: 16, speed: 4, seed: 1)
            let words = zip(fleets, shares).map { "\($0): \(percent($1))" }.joined(separator: ", ")
            print("\(plan), \(streets.pieceCount) pieces, \(Int(streets.kilometres)) km: \(words)")
        }
    }

    /// The share heard by the number of stations, planned and random, for each kind of thief: recovery curves, and what
    /// more stations add.
    static func density() async throws {
        let synthetic = try SyntheticCity(.grid, kilometres: 14, candidates: 2000, seed: 1)
        for model in try PlanModels.shipped().thieves.map(\.name) {
            var request = try request(synthetic, 250)
            request.goal = .month
            request.models.thieves = request.models.thieves.filter { $0.name == model }
            (request.worlds, request.bikes) = (99, 500)
            let fixed = request
            let report = try await CityPlanner.plan(fixed, for: City(synthetic.streets, seed: 1))
            for stations in [25, 100, 250] where stations < report.curve.count {
                let heard = report.curve[stations].heard.map { percent($0.share) }.joined(separator: ", ")
                let random = report.comparisons.first { $0.stations == stations && $0.way == "random" }
                print(
                    "\(model), \(stations) planned: \(heard) within hour, day, week, month; random "
                        + "\(percent(random?.share ?? 0)) within month")
            }
        }
    }
}
