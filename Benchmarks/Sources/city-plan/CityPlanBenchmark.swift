import Beacons
import CityPlan
import Foundation
import Presence
import Scanning
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
        case "exact": try await exact()
        case "pessimistic": try await pessimistic()
        case "pass": try await pass()
        case "fleets": try await fleets()
        case "density": try await density()
        case "page": try await page()
        default:
            print("usage: city-plan speed [BIKES] | choice | intervals | exact | pessimistic | pass | fleets | density")
            exit(64)
        }
    }

    private static func timed<Value>(_ words: String, _ work: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        let value = try await work()
        let seconds = Double(start.duration(to: .now).components.seconds)
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        print("\(words): \(Int(seconds)) s, \(peak.split(separator: " ").dropFirst().first ?? "?") kB at most")
        return value
    }

    private static func request(
        _ city: SyntheticCity, _ budget: Int, seed: UInt64 = 1
    ) throws -> PlanRequest {
        var request = PlanRequest(name: "city", candidates: city.candidates, budget: budget, models: try .shipped())
        request.seed = seed
        return request
    }

    private static func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }

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
        print("  proved share of the optimum: \(percent(report.guarantee.proved))")
        for comparison in report.comparisons {
            print("  \(comparison.stations) \(comparison.way): \(percent(comparison.share))")
        }
    }

    /// Fifty cities with settings that nobody tuned for: is the share that one more world hears within the interval?
    private static func intervals() async throws {
        var random = SplitMix64(seed: 2_026)
        var (inside, total) = (0, 0)
        var (pureInside, pureTotal) = (0, 0)
        var byHorizon = [Int](repeating: 0, count: 4)
        let intervals: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(5)]
        let steps = [1, 5, 10, 20]
        for setting in 0..<50 {
            let plan = SyntheticCity.Plan.allCases[Int(random.next(below: 3))]
            let synthetic = try SyntheticCity(
                plan, kilometres: 4 + 10 * random.uniform(), candidates: 100 + Int(random.next(below: 400)),
                seed: random.next())
            var request = try request(synthetic, 20, seed: random.next())
            request.interval = intervals[Int(random.next(below: 4))]
            request.choiceBikes = 5000
            request.passes = 1000
            request.bikes = 200 + Int(random.next(below: 600))
            let (fixed, city) = (request, try await City(synthetic.streets, seed: request.seed))
            let report = try await CityPlanner.plan(fixed, for: city)
            let table = try await PassTable(
                PassSurvey(interval: request.interval, measuredPower: -59), passes: 1000, seed: request.seed)
            let order = report.places.compactMap { place in
                request.candidates.firstIndex { $0.name == place.name }
            }
            func count(_ models: PlanModels, seed: UInt64) async throws -> [Int] {
                var truth = fixed
                truth.models = models
                let outcome = try await CityPlanner.outcome(of: order, truth, for: city, table: table, seed: seed)
                return Horizon.allCases.indices.map { horizon in
                    steps.filter { $0 < report.curve.count }.count { stations in
                        let heard = report.curve[stations].heard[horizon]
                        return (heard.low...heard.high).contains(outcome[horizon][stations])
                    }
                }
            }
            let covered = try await count(fixed.models, seed: random.next())
            for horizon in 0..<4 { byHorizon[horizon] += covered[horizon] }
            inside += covered.reduce(0, +)
            total += 4 * steps.count { $0 < report.curve.count }
            // A city whose thieves are all of one kind is not like the cities of the plan.
            var pure = fixed.models
            pure.thieves = [pure.thieves[setting % pure.thieves.count]]
            pureInside += try await count(pure, seed: random.next()).reduce(0, +)
            pureTotal += 4 * steps.count { $0 < report.curve.count }
        }
        print("covered: \(percent(Double(inside) / Double(total))) of \(total) figures in 50 settings")
        for (horizon, count) in zip(Horizon.allCases, byHorizon) {
            print("  within \(horizon): \(percent(4 * Double(count) / Double(total)))")
        }
        print("covered if all thieves are of one kind: \(percent(Double(pureInside) / Double(pureTotal)))")
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
            "share of the optimum in \(shares.count) cities: least \(percent(shares.min() ?? 0)), "
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

    /// One pass in the plan’s table and in the monitor’s simulation, 20,000 times each.
    private static func pass() async throws {
        for (milliseconds, offset, speed) in [
            (1000, 6.0, 10.0), (1000, 30, 4), (1000, 50, 4), (2000, 10, 4), (5000, 6, 10), (5000, 20, 4),
            (10_000, 6, 4),
        ] {
            let survey = PassSurvey(interval: .milliseconds(milliseconds), measuredPower: -59)
            let table = try await PassTable(survey, passes: 4000, seed: 77)
            var heard = 0
            for seed in 1...20 { heard += try await monitor(milliseconds, offset, speed, seed: seed) }
            let (plan, monitor) = (table.chance(offset: offset, speed: speed), Double(heard) / 20_000)
            print(
                "every \(milliseconds) ms, \(offset) m off, \(speed) m/s: plan \(percent(plan)), monitor "
                    + "\(percent(monitor)), difference \(percent(abs(plan - monitor)))")
        }
    }

    private static func monitor(_ milliseconds: Int, _ offset: Double, _ speed: Double, seed: Int) async throws -> Int {
        let scenario = try Scenario(
            yaml: """
                name: passes
                seed: \(seed)
                duration: 1200s
                beacons:
                  - name: bike
                    identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:1000
                    measuredPower: -59
                    interval: \(milliseconds)ms
                    missing: true
                    path:
                      - { at: 0s, x: -200, y: \(offset) }
                      - { at: \(Int(400_000 / speed))ms, x: 200, y: \(offset) }
                    copies: { count: 1000, later: 1s }
                """, source: "passes")
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
    private static func fleets() async throws {
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

    /// The share heard by the number of stations, planned and random, for each kind of thief: recovery curves, and what
    /// more stations add.
    private static func density() async throws {
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
