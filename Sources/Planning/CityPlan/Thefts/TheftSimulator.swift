import Glibc
import Simulation

/// Steals bikes in one world, and finds out which stations hear them, and when.
///
/// Each bike has its own random numbers, and each chance that a station hears it depends only on the bike, the
/// station’s place and the occasion. So results depend neither on the order of the bikes nor on the other stations.
struct TheftSimulator {
    private let city: City
    private var world: World
    private let coverage: Coverage
    private let rounds: VehicleRounds
    private let hours: StationHours
    /// For each model the chances that a parked bike is heard, by steps of half a metre.
    private let parked: [(street: [Float], indoors: [Float])]
    private var finder: WayFinder

    /// How long a search is simulated, in seconds: 30 days.
    static let search = 30 * 86_400.0

    // The bike that is being stolen. Times are seconds since the theft.

    private var random = SplitMix64(seed: 0)
    /// The bike’s own seed.
    private var bike: UInt64 = 0
    /// The index of the kind of thief.
    private var model = 0
    /// The present.
    private var time = 0.0
    /// The seconds from the midnight before the theft to the theft.
    private var midnight = 0.0
    /// When the owner reports the theft.
    private var report = 0.0
    /// When the search ends, or the beacon is removed.
    private var end = 0.0
    /// The number of the last ride, or journey in a van.
    private var occasion = 0
    /// The number of the bike, for ``lastHeard``.
    private var stamp: UInt32 = 0
    /// For each station the stamp of the last bike that it heard. This need not be cleared for each bike.
    private var lastHeard: [UInt32]
    /// The passes of the way that is driven, or of the ways to all known destinations.
    private var passes: [WayFinder.Pass] = []
    /// The destinations from the place where the bike stays now.
    private var known: [Destination] = []

    /// Where a bike stands.
    private struct Spot {
        let crossing: Int32
        let piece: Int32
        let point: MapPoint
        /// The distance from the middle of the street in steps of half a metre.
        let step: Int
        let isAudible: Bool
        let isIndoors: Bool
        /// Distinguishes the spots of a bike. It is negative, since numbers from 1 are those of rides.
        let number: Int
    }

    /// Where a bike is ridden to and back.
    private struct Destination {
        let spot: Spot
        /// The stations on the way there, as a range of ``TheftSimulator/passes``.
        let passes: Range<Int>
        /// The length of the way there in metres.
        let length: Double
        var visits: Int
    }

    /// - Parameter hours: when the stations of the coverage listen in this world.
    init(
        _ city: City, _ world: World, _ coverage: Coverage, rounds: VehicleRounds = .none, hours: StationHours,
        survey: PassSurvey
    ) {
        self.city = city
        self.world = world
        self.coverage = coverage
        self.rounds = rounds
        self.hours = hours
        finder = WayFinder(city, coverage)
        lastHeard = [UInt32](repeating: 0, count: coverage.points.count + rounds.count)
        let steps = 0...Int(2 * min(150, survey.reach))
        func chances(_ loss: Double) -> [Float] {
            steps.map { Float(survey.decoded(metres: Double($0) / 2, loss: loss)) }
        }
        let street = chances(0)
        parked = world.behaviours.map { (street, chances($0.wall)) }
    }

    private var behaviour: Behaviour { world.behaviours[model] }

    /// Steals one bike, and follows it to the end of its search.
    ///
    /// - Parameter number: any number; another one is another bike.
    mutating func steal(_ number: Int, into sink: inout some HearingSink) {
        bike = SplitMix64.mix(world.seed ^ SplitMix64.mix(UInt64(truncatingIfNeeded: number) &+ 1))
        random = SplitMix64(seed: bike)
        let kind = random.uniform()
        model = world.running.firstIndex { kind < $0 } ?? world.running.count - 1
        stamp &+= 1
        occasion = 0
        let theft = city.theft(at: random.uniform())
        sink.begin(model: model, area: Int(city.routes.cell[Int(theft)]))
        followBike(from: theft, &sink)
        sink.end()
    }

    /// From the theft to the end of the search.
    private mutating func followBike(from theft: Int32, _ sink: inout some HearingSink) {
        let isNight = random.uniform() < behaviour.stolenAtNight
        let hour = isNight ? 22 + 8 * random.uniform() : 6 + 16 * random.uniform()
        midnight = hour.truncatingRemainder(dividingBy: 24) * 3600
        time = 0
        report = random.exponential() * behaviour.reportedAfter * 3600
        let isBeaconFound = random.uniform() < behaviour.beaconRemoved
        // After half a day on average, as the assumption says.
        let removal = random.exponential() * 43_200
        end = min(report + Self.search, isBeaconFound ? removal : .infinity)
        let isCarried = random.uniform() < behaviour.carried
        let leaves = random.uniform() < behaviour.leavesAtOnce
        let placement = (random.uniform(), random.uniform())
        sink.reported(at: (midnight + report).truncatingRemainder(dividingBy: 86_400))
        guard end > report else { return }
        guard !leaves else { return leave(from: theft, isCarried: isCarried, &sink) }
        let hidingPlace = move(from: theft, isCarried: isCarried, placement, &sink)
        let hiddenUntil = time + random.exponential() * behaviour.hidingDays * 86_400
        stay(at: hidingPlace, until: hiddenUntil, ridesPerDay: behaviour.thiefRides, &sink)
        guard time < end else { return }
        guard random.uniform() < behaviour.soldInTown else {
            return leave(from: hidingPlace.crossing, isCarried: isCarried, &sink)
        }
        let buyersHome = move(from: hidingPlace.crossing, isCarried: false, (1, random.uniform()), &sink)
        stay(at: buyersHome, until: .infinity, ridesPerDay: behaviour.buyerRides, &sink)
    }

    /// Takes the bike out of town, past the stations on the way.
    private mutating func leave(from crossing: Int32, isCarried: Bool, _ sink: inout some HearingSink) {
        let gate = city.routes.gates[Int(random.next(below: UInt64(city.routes.gates.count)))]
        passes.removeAll(keepingCapacity: true)
        finder.passes(from: crossing, by: gate, to: nil, into: &passes)
        drive(0..<passes.count, Double(finder.length), isCarried: isCarried, isBack: false, &sink)
    }

    /// Takes the bike to another place to stay.
    ///
    /// - Parameter placement: two chances: whether it is where nothing can be heard, or else behind a wall.
    private mutating func move(
        from crossing: Int32, isCarried: Bool, _ placement: (Double, Double), _ sink: inout some HearingSink
    ) -> Spot {
        let cell = world.moves[model].destination(
            from: city.routes.cell[Int(crossing)], in: city.routes, at: random.uniform())
        let home = city.routes.member(of: cell, at: random.uniform())
        passes.removeAll(keepingCapacity: true)
        finder.passes(from: crossing, by: cell, to: home, into: &passes)
        drive(0..<passes.count, Double(finder.length), isCarried: isCarried, isBack: false, &sink)
        return spot(
            at: home, isAudible: placement.0 >= behaviour.inCellar, isIndoors: placement.1 < behaviour.indoors,
            number: -2 - occasion)
    }

    /// A spot beside one of the streets at a crossing.
    private mutating func spot(at crossing: Int32, isAudible: Bool, isIndoors: Bool, number: Int) -> Spot {
        let links = city.streets.linkRange(at: crossing)
        let link = links.lowerBound + Int(random.next(below: UInt64(links.count)))
        let piece = city.streets.links[link]
        let share = random.uniform() / 2
        let isFrom = city.streets.pieces[Int(piece)].from == crossing
        let middle = city.streets.point(on: piece, at: isFrom ? share : 1 - share)
        let (x, y) = (16 * random.uniform() - 8, 16 * random.uniform() - 8)
        return Spot(
            crossing: crossing, piece: piece, point: MapPoint(x: middle.x + x, y: middle.y + y),
            step: Int(2 * (x * x + y * y).squareRoot()), isAudible: isAudible, isIndoors: isIndoors, number: number)
    }

    /// Stays at a place, with rides to others and back.
    private mutating func stay(
        at home: Spot, until wanted: Double, ridesPerDay: Double, _ sink: inout some HearingSink
    ) {
        let limit = min(wanted, end)
        passes.removeAll(keepingCapacity: true)
        known.removeAll(keepingCapacity: true)
        while time < limit {
            let departure = ridesPerDay > 0 ? nextDeparture(ridesPerDay) : .infinity
            park(home, until: min(departure, limit), &sink)
            guard departure < limit else {
                time = limit
                return
            }
            time = departure
            let place = destination(from: home)
            let goal = known[place]
            drive(goal.passes, goal.length, isCarried: false, isBack: false, &sink)
            // Two hours on average.
            let wayBack = time + 7200 * random.exponential()
            park(goal.spot, until: min(wayBack, end), &sink)
            time = wayBack
            drive(goal.passes, goal.length, isCarried: false, isBack: true, &sink)
        }
    }

    /// When the next ride begins.
    ///
    /// - Parameter ridesPerDay: on average, more than 0.
    private mutating func nextDeparture(_ ridesPerDay: Double) -> Double {
        let wait = WakingHours.length * random.exponential() / ridesPerDay
        return WakingHours.time(after: midnight + time, wait) - midnight
    }

    /// A known destination by how often it was visited, or a new one (exploration and preferential return: Song and
    /// others 2010, doi 10.1038/nphys1760, which also measured the exponent).
    ///
    /// - Returns: the index in ``known``.
    private mutating func destination(from home: Spot) -> Int {
        let chanceOfNew = behaviour.explores * pow(Double(max(1, known.count)), -0.21)
        if !known.isEmpty, random.uniform() >= chanceOfNew {
            var rest = Int(random.next(below: UInt64(known.reduce(0) { $0 + $1.visits })))
            for index in known.indices {
                rest -= known[index].visits
                guard rest < 0 else { continue }
                known[index].visits += 1
                return index
            }
        }
        let cell = world.rides[model].destination(
            from: city.routes.cell[Int(home.crossing)], in: city.routes, at: random.uniform())
        let goal = city.routes.member(of: cell, at: random.uniform())
        let start = passes.count
        finder.passes(from: home.crossing, by: cell, to: goal, into: &passes)
        let length = Double(finder.length)
        known.append(
            Destination(
                spot: spot(at: goal, isAudible: true, isIndoors: false, number: -1_000_000 - known.count - occasion),
                passes: start..<passes.count, length: length, visits: 1))
        return known.count - 1
    }

    /// Passes stations, and advances the time.
    ///
    /// - Parameters:
    ///   - range: of ``passes``.
    ///   - length: of the way, in metres.
    ///   - isBack: whether the way is driven from its end to its start.
    private mutating func drive(
        _ range: Range<Int>, _ length: Double, isCarried: Bool, isBack: Bool, _ sink: inout some HearingSink
    ) {
        let speed = isCarried ? world.surroundings.vanSpeed : behaviour.speed
        occasion += 1
        if time + length / speed >= report, time < end {
            let chances = isCarried ? world.vanChances : world.rideChances[model]
            for index in range {
                let pass = passes[index]
                guard sink.wantsAll || lastHeard[Int(pass.station)] != stamp else { continue }
                guard Int(pass.step) < chances.count else { continue }
                let chance = SplitMix64.chance(bike, coverage.keys[Int(pass.station)], occasion)
                guard chance < Double(chances[Int(pass.step)]) else { continue }
                let along = isBack ? length - Double(pass.along) : Double(pass.along)
                let moment = time + along / speed
                guard moment >= report, moment < end,
                    hours.first(pass.station, from: moment, until: moment, midnight: midnight) != nil
                else { continue }
                lastHeard[Int(pass.station)] = stamp
                sink.heard(pass.station, after: moment - report)
            }
        }
        time += length / speed
    }

    /// Stands at a place from now on. The time stays as it is.
    private mutating func park(_ spot: Spot, until: Double, _ sink: inout some HearingSink) {
        let start = max(time, report)
        guard spot.isAudible, until > start else { return }
        let chances = spot.isIndoors ? parked[model].indoors : parked[model].street
        for index in coverage.entries(of: spot.piece) {
            let station = coverage.entries[index].station
            guard sink.wantsAll || lastHeard[Int(station)] != stamp else { continue }
            let step = Int(2 * spot.point.distance(to: coverage.points[Int(station)]))
            // One chance for all stays at this spot: walls do not change.
            guard step < chances.count,
                SplitMix64.chance(bike, coverage.keys[Int(station)], spot.number) < Double(chances[step]),
                let moment = hours.first(station, from: start, until: until, midnight: midnight), moment < until
            else { continue }
            lastHeard[Int(station)] = stamp
            sink.heard(station, after: moment - report, until: until - report)
        }
        for index in rounds.stops(on: spot.piece) {
            waitForVehicle(rounds.stops[index], at: spot, from: start, until: until, &sink)
        }
    }

    /// Lets a vehicle drive past until it hears the bike.
    ///
    /// Each pass has the same chance. So the number of passes that miss the bike has a geometric distribution, and no pass
    /// need be simulated.
    private mutating func waitForVehicle(
        _ stop: VehicleRounds.Stop, at spot: Spot, from start: Double, until: Double,
        _ sink: inout some HearingSink
    ) {
        let station = Int32(coverage.points.count) + stop.vehicle
        // Apart from the keys of places, which are hashes.
        let key = UInt64(truncatingIfNeeded: stop.vehicle)
        let chances = spot.isIndoors ? world.vehicleChances[model].indoors : world.vehicleChances[model].street
        guard lastHeard[Int(station)] != stamp, spot.step < chances.count, chances[spot.step] > 0 else { return }
        let chance = min(0.999_999, Double(chances[spot.step]))
        let failures = (log(1 - SplitMix64.chance(bike, key, occasion)) / log(1 - chance)).rounded(.down)
        let speed = world.surroundings.vehicleSpeed
        let lap = Double(rounds.lengths[Int(stop.vehicle)]) / speed
        let phase = lap * SplitMix64.chance(world.seed, key, 0)
        let first = (phase + Double(stop.metres) / speed).truncatingRemainder(dividingBy: lap)
        let passes = VehiclePasses(lap: lap, first: first)
        guard failures < 1e6, let clock = passes.time(after: midnight + start, skipping: failures) else { return }
        let moment = clock - midnight
        guard moment >= start, moment < until else { return }
        lastHeard[Int(station)] = stamp
        sink.heard(station, after: moment - report)
    }
}
