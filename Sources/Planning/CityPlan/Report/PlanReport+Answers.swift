extension PlanReport {
    /// Sums up what was simulated.
    ///
    /// - Parameters:
    ///   - choice: the planned stations, as indices of the request’s candidates.
    ///   - optimum: how many bikes the best choice hears; nil if unknown.
    ///   - evaluation: of the planned order, the one by traffic and the random ones.
    init(
        _ request: PlanRequest, _ city: City, choice: MaximumCoverage.Choice, optimum: Int?, _ evaluation: Evaluation,
        _ table: PassTable
    ) {
        basis = Basis(
            city: request.name, isMadeUp: request.isMadeUp, seed: request.seed,
            kilometresOfStreets: city.streets.kilometres, kilometresLeftOut: city.streets.kilometresLeftOut,
            crossings: city.streets.crossingCount, candidates: request.candidates.count,
            existing: request.existing.count, vehicles: request.vehicles, theftPlaces: city.theftPlaces,
            budget: request.budget, goal: request.goal, worlds: request.worlds,
            bikesPerWorld: request.bikes, beaconIntervalMilliseconds: Int(request.interval / .milliseconds(1)),
            beaconPower: Int(request.measuredPower))
        let stationCount = choice.stations.count
        curve = Self.curve(evaluation, most: stationCount)
        let added = evaluation.outcomes.map { outcome in
            let shares = outcome.counts.shares(order: 0, request.goal)
            return shares[stationCount] - shares[0]
        }
        self.added = Heard(request.goal, Interval(added, weights: evaluation.weights))
        let goals = curve.map { step in step.heard.first { $0.within == request.goal }?.share ?? 0 }
        places = choice.stations.enumerated().map { index, station in
            let site = request.candidates[station]
            return Place(
                number: index + 1, name: site.name, kind: site.kind, latitude: site.place.latitude,
                longitude: site.place.longitude, adds: goals[index + 1] - goals[index])
        }
        comparisons = Self.comparisons(evaluation, request, most: stationCount)
        models = Self.models(evaluation, request)
        // Never 0, as a divisor.
        let bikes = max(evaluation.bikes, .leastNormalMagnitude)
        existing = zip(request.existing, evaluation.sums(\.onlyHere)).map { site, count in
            ExistingStation(
                name: site.name, latitude: site.place.latitude, longitude: site.place.longitude,
                onlyHere: count / bikes)
        }
        let (stolen, heard) = (evaluation.sums(\.stolen), evaluation.sums(\.stolenAndHeard))
        areas = city.routes.anchors.enumerated().map { area, anchor in
            let place = city.streets.projection.coordinates(city.streets.crossings[Int(anchor)])
            return Area(
                latitude: place.latitude, longitude: place.longitude, stolen: stolen[area] / bikes,
                heard: stolen[area] > 0 ? heard[area] / stolen[area] : 0)
        }
        delay = Delay(evaluation.sums(\.delays), of: evaluation.bikes)
        guarantee = Guarantee(
            proved: choice.guarantee,
            exact: optimum.map { $0 > 0 ? Double(choice.heard) / Double($0) : 1 })
        experience = request.experience.map {
            ExperienceResult($0, evaluation.weighing, worlds: request.worlds)
        }
        assumptions = request.models.city.shown + request.models.thieves.flatMap(\.shown)
        // A bike that is ridden past at 4 m/s. The chances are in steps of half a metre.
        let chances = table.chances(speed: 4, loss: 0)
        reachMetres = Double(chances.firstIndex { $0 < 0.5 } ?? chances.count) / 2
    }

    /// What each number of planned stations hears, from 0 to the most.
    private static func curve(_ evaluation: Evaluation, most: Int) -> [Step] {
        let shares = Horizon.allCases.map { horizon in evaluation.outcomes.map { $0.counts.shares(order: 0, horizon) } }
        return (0...most).map { stations in
            Step(
                stations: stations,
                heard: zip(Horizon.allCases, shares).map { horizon, worlds in
                    Heard(horizon, Interval(worlds.map { $0[stations] }, weights: evaluation.weights))
                })
        }
    }

    /// What some numbers of stations hear at planned, busy and random places.
    private static func comparisons(
        _ evaluation: Evaluation, _ request: PlanRequest, most: Int
    ) -> [Comparison] {
        let orders = evaluation.outcomes[0].counts.orders
        let means = (0..<orders).map { order in
            let shares = evaluation.outcomes.map { $0.counts.shares(order: order, request.goal) }
            return (0...request.budget).map { stations in
                Interval(shares.map { $0[stations] }, weights: evaluation.weights).share
            }
        }
        return milestones(most).dropFirst().flatMap { stations in
            let random = means[Evaluation.randomOrders(of: orders)].map { $0[stations] }
            return [
                Comparison(way: "planned", stations: stations, share: means[0][stations]),
                Comparison(way: "mostTraffic", stations: stations, share: means[1][stations]),
                Comparison(
                    way: "random", stations: stations,
                    share: random.reduce(0, +) / Double(max(1, random.count))),
            ]
        }
    }

    /// What the stations would hear of the bikes of each kind of thief.
    private static func models(_ evaluation: Evaluation, _ request: PlanRequest) -> [ModelResult] {
        let total = max(evaluation.sum { _ in 1 }, .leastNormalMagnitude)
        let random = Evaluation.randomOrders(of: evaluation.outcomes[0].counts.orders).count
        return request.models.thieves.enumerated().map { index, model in
            let bikes = max(evaluation.sum { Double($0.models[index].bikes) }, .leastNormalMagnitude)
            func share(_ count: (Outcome.Model) -> Int32) -> Double {
                evaluation.sum { Double(count($0.models[index])) } / bikes
            }
            return ModelResult(
                model: model.name, description: model.description,
                weight: evaluation.sum { $0.mixture[index] } / total,
                planned: Horizon.allCases.enumerated().map { number, horizon in
                    Heard(horizon, Interval([share { $0.planned[number] }]))
                },
                random: share(\.random) / Double(max(1, random)), existing: share(\.existing))
        }
    }

    /// Numbers of stations that are worth a line: 0, 1, 2, 5, 10, 25, 50, 100 … and the most.
    public static func milestones(_ most: Int) -> [Int] {
        [0, 1, 2, 5, 10, 25, 50, 100, 250, 500].filter { $0 < most } + [most]
    }
}

extension PlanReport.Heard {
    init(_ horizon: Horizon, _ interval: Interval) {
        self.init(within: horizon, share: interval.share, low: interval.low, high: interval.high)
    }
}

extension PlanReport.Delay {
    /// - Parameters:
    ///   - spans: how many bikes were heard first in each span of time of ``HeardTally``.
    ///   - bikes: the number of all bikes.
    init(_ spans: [Double], of bikes: Double) {
        let total = spans.reduce(0, +)
        // The longest that a search is simulated, in hours: 30 days.
        let longest = 720.0
        // The hours until a share of the heard bikes is heard.
        func hours(_ share: Double) -> Double {
            var sum = 0.0
            for (span, count) in spans.enumerated() {
                sum += count
                if sum > 0, sum >= share * total {
                    return min(longest, HeardTally.bound(of: span) / 3600)
                }
            }
            return longest
        }
        self.init(
            heard: bikes > 0 ? total / bikes : 0, quarterWithinHours: hours(0.25),
            halfWithinHours: hours(0.5), threeQuartersWithinHours: hours(0.75))
    }
}

extension PlanReport.ExperienceResult {
    /// - Parameter weighing: nil if there is no search.
    init(_ experience: Experience, _ weighing: Experience.Weighing?, worlds: Int) {
        let weights = weighing?.weights ?? []
        let total = weights.reduce(0, +)
        func mean(_ values: [Double]) -> Double {
            total > 0 ? zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } / total : 0
        }
        self.init(
            searches: experience.searches.count, evidence: weighing?.power ?? 1,
            effectiveWorlds: weighing?.effectiveWorlds ?? Double(worlds),
            compatibleWorlds: weighing?.compatible ?? worlds,
            spans: (weighing?.spans ?? []).map { span in
                PlanReport.SearchSpan(
                    within: span.horizon, searches: span.searches, heard: span.heard, expected: mean(span.expected),
                    fewer: mean(span.fewer))
            })
    }
}
