import CityPlan
import Foundation
import Simulation

/// Checks of the planner that are too slow for a test: speed, intervals, the choice, and comparisons with studies.
@main
struct CityPlanBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first ?? "" {
        case "speed": try await speed(bikes: arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000)
        case "choice": try await choice()
        case "intervals": try await intervals()
        case "experience": try await experience()
        case "exact": try await exact()
        case "pessimistic": try await pessimistic()
        case "pass": try await pass()
        case "fleets": try await fleets()
        case "density": try await density()
        case "misuse": try await misuse()
        case "day": try await day()
        case "page": try await page()
        default:
            print(
                "usage: city-plan speed [BIKES] | choice | intervals | experience | exact | pessimistic | pass | fleets"
            )
            print("       | density | misuse | day | page")
            exit(64)
        }
    }

    static func timed<Value>(_ words: String, _ work: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        let value = try await work()
        let seconds = Double(start.duration(to: .now).components.seconds)
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        print("\(words): \(Int(seconds)) s, \(peak.split(separator: " ").dropFirst().first ?? "?") kB at most")
        return value
    }

    static func request(
        _ city: SyntheticCity, _ budget: Int, seed: UInt64 = 1
    ) throws -> PlanRequest {
        var request = PlanRequest(name: "city", candidates: city.candidates, budget: budget, models: try .shipped())
        request.seed = seed
        return request
    }

    static func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }

    /// A million bikes for 30 days, with 250 planned stations and those of eleven other orders.
    private static func speed(bikes: Int) async throws {
        let synthetic = try SyntheticCity(.grid, kilometres: 14, candidates: 5000, seed: 1)
        var request = try request(synthetic, 250)
        request.bikes = (bikes + request.worlds - 1) / request.worlds
        let (fixed, city) = (
            request, try await timed("streets and routes") { try await City(synthetic.streets, seed: 1) }
        )
        let report = try await timed("plan with \(request.bikes * request.worlds) bikes, 250 of 5,000 places") {
            try await CityPlanner.plan(fixed, for: city)
        }
        for heard in report.curve[250].heard { print("  within \(heard.within): \(percent(heard.share))") }
    }

    /// The choice of 100 of 5,000 candidates, and what it is worth.
    private static func choice() async throws {
        let synthetic = try SyntheticCity(.river, kilometres: 14, candidates: 5000, seed: 1)
        var request = try request(synthetic, 100)
        request.worlds = 19
        request.bikes = 1000
        let (fixed, city) = (request, try await City(synthetic.streets, seed: 1))
        let report = try await timed("choice of 100 of 5,000, and 19,000 bikes") {
            try await CityPlanner.plan(fixed, for: city)
        }
        print("  seed 1: proved share of the optimum: \(percent(report.guarantee.proved))")
        for comparison in report.comparisons {
            print("  \(comparison.stations) \(comparison.way): \(percent(comparison.share))")
        }
    }

    /// The choice against the exact optimum, in cities that are small enough.
    private static func exact() async throws {
        var shares: [Double] = []
        for seed in 1...30 as ClosedRange<UInt64> {
            let synthetic = try SyntheticCity(
                SyntheticCity.Plan.allCases[Int(seed % 3)], kilometres: 3, candidates: 30, seed: seed)
            var request = try request(synthetic, 6, seed: seed)
            (request.worlds, request.bikes, request.passes, request.choiceBikes) = (19, 20, 500, 3000)
            let fixed = request
            let report = try await CityPlanner.plan(fixed, for: City(synthetic.streets, seed: seed))
            if let exact = report.guarantee.exact { shares.append(exact) }
        }
        print(
            "share of the optimum in \(shares.count) cities (seeds 1 to 30): least \(percent(shares.min() ?? 0)), "
                + "mean \(percent(shares.reduce(0, +) / Double(max(1, shares.count))))")
    }

    /// 25 planned stations against 25 random ones, if all thieves are organised.
    private static func pessimistic() async throws {
        for plan in SyntheticCity.Plan.allCases {
            let synthetic = try SyntheticCity(plan, kilometres: 14, candidates: 1000, seed: 1)
            for goal in [Horizon.day, .week, .month] {
                var request = try request(synthetic, 25)
                request.goal = goal
                request.models.thieves = request.models.thieves.filter { $0.name == "organised" }
                (request.worlds, request.bikes) = (99, 2000)
                let fixed = request
                let report = try await CityPlanner.plan(fixed, for: City(synthetic.streets, seed: 1))
                let shares = report.comparisons.filter { $0.stations == 25 }
                let (planned, random) = (
                    shares.first { $0.way == "planned" }?.share ?? 0, shares.first { $0.way == "random" }?.share ?? 0
                )
                print(
                    "\(plan), within \(goal): planned \(percent(planned)), random \(percent(random)), "
                        + String(format: "%.1f times", planned / max(random, 1e-9)))
            }
        }
    }

    /// The page of a made-up city with some stations, on standard output.
    private static func page() async throws {
        let synthetic = try SyntheticCity(.river, kilometres: 10, candidates: 400, seed: 1)
        var request = try request(synthetic, 25)
        request.name = "Riverton"
        request.existing = Array(request.candidates.prefix(5))
        request.candidates.removeFirst(5)
        request.vehicles = 5
        let report = try await CityPlanner.plan(request, for: City(synthetic.streets, seed: 1))
        print(CouncilPage(report, streets: synthetic.streets).html)
    }
}
