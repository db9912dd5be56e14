import CityPlan
import Foundation
import Simulation

/// A beacon that is planted on a person, among true thefts: which rules of a registry stop the search for it, and which stop
/// true searches by mistake?
///
/// What stations hear is simulated. How owners and stalkers behave is assumed: see ``Owner``.
struct MisuseStudy {
    /// A search as a registry sees it.
    private struct Search {
        let log: SearchLog
        let isMisuse: Bool
        /// The days from the registration of the bike to its report.
        let age: Double
        /// The days after the report at which there is a police reference, and at which an operator has confirmed it; infinity
        /// for never.
        let reference: Double
        let confirmed: Double
    }

    /// When a rule stops a search, in days after the report; nil for never.
    private typealias Rule = @Sendable (Search) -> Double?

    private let searches: [Search]

    /// - Parameters:
    ///   - patience: the days that a stalker waits on average between registering a beacon and reporting it.
    init(_ thefts: [SearchLog], _ people: [SearchLog], patience: Double, seed: UInt64) {
        var random = SplitMix64(seed: seed, stream: "owners")
        searches =
            thefts.map { log in
                // A bike is stolen in any of the two years after its registration; three in five owners have a reference
                // within a day or so, and an operator confirms four in five of these within two days.
                let reference = random.uniform() < 0.6 ? random.exponential() : .infinity
                let isConfirmed = random.uniform() < 0.8
                return Search(
                    log: log, isMisuse: false, age: 730 * random.uniform(), reference: reference,
                    confirmed: isConfirmed ? reference + 2 * random.exponential() : .infinity)
            }
            + people.map { log in
                // Half of the stalkers invent a reference; no operator confirms it.
                let reference = random.uniform() < 0.5 ? 0.0 : .infinity
                return Search(
                    log: log, isMisuse: true, age: patience * random.exponential(), reference: reference,
                    confirmed: .infinity)
            }
    }

    /// The search of a beacon ends after seven days on the owner’s word, and after 37 with an unconfirmed reference (record 31).
    private static let days: Rule = { search in
        search.confirmed <= 7 || (search.reference <= 7 && search.confirmed <= 37)
            ? nil : search.reference <= 7 ? 37 : 7
    }

    /// One station hears it in two nights, for hours, and others by day: an operator looks at it half a day later.
    private static let home: Rule = { search in
        var nights: [Int: Set<Int>] = [:]
        for stay in search.log.stays {
            // Hours since the midnight before the report.
            let (from, until) = (stay.from + search.log.hour, stay.until + search.log.hour)
            for day in Int(from / 24)...Int(max(from, until) / 24) {
                let night = Double(day) * 24...Double(day) * 24 + 5
                guard min(until, night.upperBound) - max(from, night.lowerBound) >= 3 else { continue }
                nights[stay.station, default: []].insert(day)
            }
        }
        let ends = nights.values.compactMap { days in days.count >= 2 ? days.sorted()[1] : nil }
        guard let day = ends.min(), Set(search.log.stays.map(\.station)).count >= 2 else { return nil }
        let time = (Double(day) * 24 + 5 - search.log.hour) / 24 + 0.5
        return search.confirmed <= time ? nil : time
    }

    /// So many stations, one after the other, hear it within a day: somebody uses it, or carries it.
    private static func busy(_ stations: Int) -> Rule {
        { search in
            var seen: Set<Int> = []
            for stay in search.log.stays where stay.from <= 24 {
                seen.insert(stay.station)
                if seen.count >= stations { return search.confirmed * 24 <= stay.from ? nil : stay.from / 24 }
            }
            return nil
        }
    }

    /// A bike that was registered only lately is searched for one day, until an operator has confirmed a reference.
    private static func young(_ days: Double) -> Rule {
        { $0.age < days && $0.confirmed > 1 ? 1 : nil }
    }

    /// As ``young(_:)``, but only if so many stations have heard it by then.
    private static func youngAndBusy(_ days: Double, _ stations: Int) -> Rule {
        let busy = busy(stations)
        return { search in search.age < days ? busy(search) : nil }
    }

    private func stopped(_ rule: Rule, within days: Double, isMisuse: Bool) -> Double {
        let those = searches.filter { $0.isMisuse == isMisuse }
        return Double(those.count { search in rule(search).map { $0 <= days } ?? false }) / Double(max(1, those.count))
    }

    /// Whether those that are never heard can be stopped matters to nobody: the shares of the searches that are heard.
    private var heard: (misuse: Double, thefts: Double) {
        func share(_ isMisuse: Bool) -> Double {
            let those = searches.filter { $0.isMisuse == isMisuse }
            return Double(those.count { $0.log.stays.contains { $0.from <= 24 } }) / Double(max(1, those.count))
        }
        return (share(true), share(false))
    }

    func show() {
        print(
            "heard within a day: \(CityPlanBenchmark.percent(heard.misuse)) of the planted beacons, "
                + "\(CityPlanBenchmark.percent(heard.thefts)) of the stolen bikes")
        print("rule: misuse stopped within a day, a week, 37 days; true searches stopped within a day, a month")
        let rules: [(String, Rule)] =
            [
                ("days of search (record 31)", Self.days), ("at one home by night (desk)", Self.home),
            ] + [2, 3, 4].map { ("heard by \($0) stations within a day", Self.busy($0)) }
            + [1, 3, 7, 14, 30, 60].map { ("registered less than \($0) days ago", Self.young(Double($0))) }
            + [(30, 2), (60, 2), (60, 1), (180, 2)].map { days, stations in
                (
                    "registered less than \(days) days ago, heard by \(stations) within a day",
                    Self.youngAndBusy(Double(days), stations)
                )
            }
        for (name, rule) in rules {
            let misuse = [1.0, 7, 37].map { stopped(rule, within: $0, isMisuse: true) }
            let mistakes = [1.0, 30].map { stopped(rule, within: $0, isMisuse: false) }
            print("  \(name): \((misuse + mistakes).map(CityPlanBenchmark.percent).joined(separator: ", "))")
        }
    }
}

extension CityPlanBenchmark {
    /// 1,000 beacons on people among 10,000 stolen bikes, in a city with 250 planned stations.
    static func misuse() async throws {
        let synthetic = try SyntheticCity(.grid, kilometres: 14, candidates: 1000, seed: 1)
        let city = try await City(synthetic.streets, seed: 1)
        var request = try request(synthetic, 250)
        (request.worlds, request.bikes) = (19, 100)
        let table = try await PassTable(
            PassSurvey(interval: .seconds(1), measuredPower: -59), passes: 1000, seed: 1)
        let places = try await CityPlanner.plan(request, for: city).places.map(\.name)
        let stations = synthetic.candidates.filter { places.contains($0.name) }
        let thefts = try await city.searchLogs(100, worlds: 100, of: stations, request.models, table, seed: 5)
        let person = try ThiefModel(yaml: person, source: "person")
        let people = try await city.searchLogs(
            10, worlds: 100, of: stations, PlanModels(thieves: [person], city: request.models.city), table, seed: 6)
        for patience in [0.5, 3, 7, 14, 30] {
            print("seed 7; stalkers wait \(patience) days on average:")
            MisuseStudy(thefts, people, patience: patience, seed: 7).show()
        }
    }

    /// Somebody with a beacon in a bag or a coat, in the words of the models of thieves: home is behind a wall, every day has
    /// some ways, mostly to the same places, on foot, by bike or by bus. A guess, like most of the others.
    private static let person = """
        name: person
        description: somebody on whom a beacon was planted
        prior: 1
        assumptions:
          stolenAtNight: { from: 0, to: 0.2, source: "a guess" }
          reportedAfter: { from: 0.1, to: 2, source: "a guess" }
          beaconRemoved: { from: 0, to: 0.1, source: "a guess: found, or a phone warns" }
          carried: { from: 0, to: 0, source: "a guess" }
          leavesAtOnce: { from: 0, to: 0, source: "a guess" }
          movedMetres: { from: 1000, to: 4000, source: "a guess" }
          inCellar: { from: 0, to: 0.1, source: "a guess" }
          indoors: { from: 1, to: 1, source: "a guess" }
          wall: { from: 5, to: 15, source: "a guess" }
          hidingDays: { from: 900, to: 1000, source: "they live there" }
          thiefRides: { from: 1.5, to: 3, source: "a guess: ways from home and back" }
          soldInTown: { from: 1, to: 1, source: "does not happen" }
          buyerRides: { from: 1, to: 1, source: "does not happen" }
          rideMetres: { from: 1500, to: 4000, source: "a guess" }
          explores: { from: 0.4, to: 0.7, source: "as in the other models" }
          speed: { from: 1.2, to: 5, source: "on foot, by bike or by bus" }
        """
}
