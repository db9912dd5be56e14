import CityPlan
import Foundation
import Simulation

/// Fifty cities with settings for which nobody tuned anything: how often does the interval contain what one more world,
/// which the plan does not know, hears?
extension CityPlanBenchmark {
    private static let steps = [1, 5, 10, 20]
    /// Worlds for each setting. More of them do not make the figure exact: with the plan’s own 199 worlds, the coverage of
    /// one interval varies by 2 %.
    private static let truths = 20

    /// A city, what is asked, and the worlds that are tried: drawn from a seed.
    private struct Setting {
        let synthetic: SyntheticCity
        let city: City
        var request: PlanRequest
        let table: PassTable

        init(_ random: inout SplitMix64) async throws {
            let plan = SyntheticCity.Plan.allCases[Int(random.next(below: 3))]
            synthetic = try SyntheticCity(
                plan, kilometres: 4 + 10 * random.uniform(), candidates: 100 + Int(random.next(below: 400)),
                seed: random.next())
            request = try CityPlanBenchmark.request(synthetic, 20, seed: random.next())
            let intervals: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(5)]
            request.interval = intervals[Int(random.next(below: 4))]
            request.choiceBikes = 5000
            request.passes = 1000
            request.bikes = 100 + Int(random.next(below: 300))
            city = try await City(synthetic.streets, seed: request.seed)
            table = try await PassTable(
                PassSurvey(interval: request.interval, measuredPower: request.measuredPower), passes: request.passes,
                seed: request.seed)
        }

        func order(_ report: PlanReport) -> [Int] {
            report.places.compactMap { place in request.candidates.firstIndex { $0.name == place.name } }
        }
    }

    /// How many figures lie within their intervals, by horizon.
    private struct Covered {
        var inside = [Int](repeating: 0, count: Horizon.allCases.count)
        var total = 0
        /// The sum of the intervals’ widths.
        var width = 0.0

        mutating func add(_ outcome: [[Double]], _ report: PlanReport) {
            for stations in steps where stations < report.curve.count {
                total += 1
                for (horizon, heard) in report.curve[stations].heard.enumerated() {
                    width += heard.high - heard.low
                    if (heard.low...heard.high).contains(outcome[horizon][stations]) { inside[horizon] += 1 }
                }
            }
        }

        var words: String {
            let shares = zip(Horizon.allCases, inside).map { "\($0) \(percent(Double($1) / Double(max(1, total))))" }
            let all = Double(inside.reduce(0, +)) / Double(max(1, total * inside.count))
            return "\(percent(all)) of \(total * inside.count) figures (\(shares.joined(separator: ", "))); mean width "
                + percent(width / Double(max(1, total * inside.count)))
        }
    }

    static func intervals() async throws {
        var random = SplitMix64(seed: 2026)
        var (mixed, pure) = (Covered(), Covered())
        for number in 0..<50 {
            let setting = try await Setting(&random)
            let report = try await CityPlanner.plan(setting.request, for: setting.city)
            let order = setting.order(report)
            for _ in 0..<truths {
                let outcome = try await CityPlanner.outcome(
                    of: order, setting.request, for: setting.city, table: setting.table, seed: random.next())
                mixed.add(outcome, report)
            }
            // A city whose thieves are all of one kind is not like the cities of the plan.
            var only = setting.request
            only.models.thieves = [only.models.thieves[number % only.models.thieves.count]]
            for _ in 0..<truths {
                let outcome = try await CityPlanner.outcome(
                    of: order, only, for: setting.city, table: setting.table, seed: random.next())
                pure.add(outcome, report)
            }
            if number % 10 == 9 { print("  after \(number + 1) settings: covered \(mixed.words)") }
        }
        print("seed 2026: covered \(mixed.words)")
        print("  if all thieves are of one kind: \(pure.words)")
    }

    /// Twenty-five cities with ten stations, and 100 closed searches of a world that the plan does not know, half of which
    /// ended within a week: do the weighted intervals contain what this world hears, and are they narrower?
    static func experience() async throws {
        var random = SplitMix64(seed: 34)
        var (before, after) = (Covered(), Covered())
        var worlds = 0.0
        for _ in 0..<25 {
            var setting = try await Setting(&random)
            setting.request.existing = Array(setting.request.candidates.prefix(10))
            setting.request.worlds = 999
            setting.request.bikes = 200
            let plain = try await CityPlanner.plan(setting.request, for: setting.city)
            let truth = random.next()
            let outcome = try await CityPlanner.outcome(
                of: setting.order(plain), setting.request, for: setting.city, table: setting.table, seed: truth)
            var known = setting.request
            known.experience = Experience((0..<100).map { _ in search(outcome.map { $0[0] }, &random) })
            let weighted = try await CityPlanner.plan(known, for: setting.city)
            before.add(outcome, plain)
            after.add(outcome, weighted)
            worlds += weighted.experience?.effectiveWorlds ?? 0
        }
        print("seed 34, without experience: covered \(before.words)")
        print("  after 100 searches: covered \(after.words); \(Int(worlds / 25)) of 999 worlds remain likely")
    }

    /// - Parameter chances: of being heard within each horizon.
    private static func search(_ chances: [Double], _ random: inout SplitMix64) -> Experience.Search {
        let hours = [0.0, 1, 24, 168, 720]
        let chance = random.uniform()
        // The span in which it would be heard, and the moment, by the logarithm of time.
        let heard = chances.firstIndex { chance < $0 }.map { span in
            let share = random.uniform()
            return span == 0 ? share : hours[span] * pow(hours[span + 1] / hours[span], share)
        }
        let lasted = random.uniform() < 0.5 ? 720 : 168 * random.uniform()
        return Experience.Search(heardAfter: heard.flatMap { $0 <= lasted ? $0 : nil }, lasted: lasted)
    }
}
