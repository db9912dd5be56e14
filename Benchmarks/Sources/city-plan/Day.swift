import CityPlan
import Foundation
import Simulation

extension CityPlanBenchmark {
    /// How many visits a missing bike causes in each hour of the day, by the number of stations in a city of 14 × 14 km: for
    /// run-city-day.sh. Each line has the number of stations and 24 figures.
    static func day() async throws {
        let synthetic = try SyntheticCity(.grid, kilometres: 14, candidates: 5000, seed: 1)
        let city = try await City(synthetic.streets, seed: 1)
        let table = try await PassTable(PassSurvey(interval: .seconds(1), measuredPower: -59), passes: 1000, seed: 1)
        let models = try PlanModels.shipped()
        for stations in [250, 1000, 5000] {
            let logs = try await city.searchLogs(
                50, worlds: 40, of: Array(synthetic.candidates.prefix(stations)), models, table, seed: 1)
            var visits = [Double](repeating: 0, count: 24)
            for log in logs {
                for stay in log.stays { visits[Int(log.hour + stay.from) % 24] += 1 }
            }
            let shares = visits.map { String(format: "%.5f", $0 / Double(logs.count) / 30) }
            print("\(stations) \(shares.joined(separator: " "))")
        }
    }
}
