extension PlanReport {
    init(
        _ request: PlanRequest, _ city: City, choice: MaximumCoverage.Choice, optimum: Int?, _ evaluation: Evaluation,
        _ table: PassTable
    ) {
        basis = Basis(
            city: request.name, isMadeUp: request.isMadeUp, seed: request.seed,
            kilometresOfStreets: city.streets.kilometres,
            crossings: city.streets.crossingCount, candidates: request.candidates.count,
            existing: request.existing.count, vehicles: request.vehicles, theftPlaces: city.theftPlaces,
            budget: request.budget, goal: request.goal, worlds: request.worlds,
            bikesPerWorld: request.bikes, beaconIntervalMilliseconds: Int(request.interval / .milliseconds(1)),
            beaconPower: Int(request.measuredPower))
        let most = choice.stations.count
        curve = Self.curve(evaluation, most: most)
        let added = evaluation.worlds.map { world in
            let shares = world.shares(order: 0, request.goal)
            return shares[most] - shares[0]
        }
        self.added = Heard(request.goal, Interval(added, weights: evaluation.weights))
        let goals = curve.map { step in step.heard.first { $0.within == request.goal }?.share ?? 0 }
        places = choice.stations.enumerated().map { index, station in
            let site = request.candidates[station]
            return Place(
                number: index + 1, name: site.name, kind: site.kind, latitude: site.place.latitude,
                longitude: site.place.longitude, adds: goals[index + 1] - goals[index])
        }
        comparisons = Self.comparisons(evaluation, request, most: most)
        models = Self.models(evaluation, request, most: most)
        let bikes = Double(max(1, evaluation.bikes))
        existing = zip(request.existing, evaluation.onlyHere).map { site, count in
            ExistingStation(
                name: site.name, latitude: site.place.latitude, longitude: site.place.longitude,
                onlyHere: Double(count) / bikes)
        }
        areas = zip(city.routes.anchors, evaluation.areas).map { anchor, counts in
            let place = city.streets.projection.coordinates(city.streets.crossings[Int(anchor)])
            return Area(
                latitude: place.latitude, longitude: place.longitude, stolen: Double(counts.stolen) / bikes,
                heard: Double(counts.heard) / Double(max(1, counts.stolen)))
        }
        delay = Delay(evaluation.delays, of: evaluation.bikes)
        guarantee = Guarantee(
            proved: choice.guarantee,
            exact: optimum.map { $0 > 0 ? Double(choice.heard) / Double($0) : 1 })
        experience = request.experience.map {
            ExperienceResult(searches: $0.searches.count, effectiveWorlds: evaluation.effectiveWorlds)
        }
        assumptions = request.models.city.shown + request.models.thieves.flatMap(\.shown)
        let chances = table.chances(speed: 4, loss: 0)
        reachMetres = Double(chances.firstIndex { $0 < 0.5 } ?? chances.count) / 2
    }

    private static func curve(_ evaluation: Evaluation, most: Int) -> [Step] {
        let shares = Horizon.allCases.map { horizon in evaluation.worlds.map { $0.shares(order: 0, horizon) } }
        return (0...most).map { stations in
            Step(
                stations: stations,
                heard: zip(Horizon.allCases, shares).map { horizon, worlds in
                    Heard(horizon, Interval(worlds.map { $0[stations] }, weights: evaluation.weights))
                })
        }
    }

    private static func comparisons(
        _ evaluation: Evaluation, _ request: PlanRequest, most: Int
    ) -> [Comparison] {
        let orders = evaluation.worlds[0].orders
        let means = (0..<orders).map { order in
            let shares = evaluation.worlds.map { $0.shares(order: order, request.goal) }
            return (0...request.budget).map { stations in
                Interval(shares.map { $0[stations] }, weights: evaluation.weights).share
            }
        }
        return milestones(most).dropFirst().flatMap { stations in
            let random = means.dropFirst(2).map { $0[stations] }
            return [
                Comparison(way: "planned", stations: stations, share: means[0][stations]),
                Comparison(way: "mostTraffic", stations: stations, share: means[1][stations]),
                Comparison(
                    way: "random", stations: stations,
                    share: random.reduce(0, +) / Double(max(1, random.count))),
            ]
        }
    }

    private static func models(_ evaluation: Evaluation, _ request: PlanRequest, most: Int) -> [ModelResult] {
        let total = evaluation.weights.reduce(0, +)
        return request.models.thieves.enumerated().map { index, model in
            let counts = evaluation.models[index]
            let weight = zip(evaluation.mixtures, evaluation.weights).reduce(0.0) { $0 + $1.0[index] * $1.1 }
            let random = (2..<counts.orders).map { counts.shares(order: $0, request.goal)[most] }
            return ModelResult(
                model: model.name, description: model.description, weight: weight / max(total, .leastNormalMagnitude),
                planned: Horizon.allCases.map { horizon in
                    Heard(horizon, Interval([counts.shares(order: 0, horizon)[most]]))
                },
                random: random.reduce(0, +) / Double(max(1, random.count)),
                existing: counts.shares(order: 0, request.goal)[0])
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
    /// - Parameter spans: how many bikes were heard first in each span of time.
    init(_ spans: [Int], of bikes: Int) {
        let total = spans.reduce(0, +)
        func hours(_ share: Double) -> Double {
            var sum = 0
            for (span, count) in spans.enumerated() {
                sum += count
                if sum > 0, Double(sum) >= share * Double(total) {
                    return min(720, HeardTally.bound(of: span) / 3600)
                }
            }
            return 720
        }
        self.init(
            heard: bikes > 0 ? Double(total) / Double(bikes) : 0, quarterWithinHours: hours(0.25),
            halfWithinHours: hours(0.5), threeQuartersWithinHours: hours(0.75))
    }
}
