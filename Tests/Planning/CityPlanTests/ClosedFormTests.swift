import Foundation
import Simulation
import Testing

@testable import CityPlan

@Suite("The simulation agrees with formulas")
struct ClosedFormTests {
    /// A street of 2 km, whose coordinates have their origin in its middle.
    private let streets: StreetNetwork

    init() throws { streets = try Cities.straight(metres: 2000) }

    @Test("a bike that is ridden out of town passes the station in half of the cases", arguments: [6.0, 25])
    func onePass(offset: Double) async throws {
        let models = PlanModels(thieves: [try Cities.model(["leavesAtOnce": 1])], city: try Cities.city())
        let (log, table) = try await Cities.steal(
            2000, on: streets, stations: [MapPoint(x: 0, y: offset)], from: MapPoint(x: -1000, y: 0), models: models)
        // The gates are both ends of the street, and the thefts are at one of them.
        let expected = table.chance(offset: offset, speed: 4) / 2
        #expect(abs(log.share(within: .month) - expected) < 0.04)
        // 1,000 m at 4 m/s.
        #expect(log.bikes.allSatisfy { $0.values.allSatisfy { $0 <= 250 } })
    }

    @Test("a bike that stands beside a station is heard on the days on which the station works", arguments: [0.3, 1])
    func uptime(uptime: Double) async throws {
        let streets = try Cities.straight(metres: 20, every: 20)
        // Whether a station works is drawn for each day of a world, so there are many stations, all in one place.
        let models = PlanModels(thieves: [try Cities.model([:])], city: try Cities.city(["uptime": uptime]))
        let (log, _) = try await Cities.steal(
            400, on: streets, stations: [MapPoint](repeating: MapPoint(x: 0, y: 0), count: 50), models: models,
            power: -40)
        let heard = log.bikes.map { $0.values.count { $0 <= 60 } }.reduce(0, +)
        #expect(abs(Double(heard) / 400 / 50 - uptime) < 0.12)
        // A month has 30 days.
        #expect(log.bikes.allSatisfy { $0.count == 50 })
    }

    @Test("a station that is off at night hears a bike in the morning")
    func night() async throws {
        let streets = try Cities.straight(metres: 20, every: 20)
        let models = PlanModels(thieves: [try Cities.model(["stolenAtNight": 1])], city: try Cities.city())
        let (log, _) = try await Cities.steal(
            300, on: streets, stations: [MapPoint(x: 0, y: 0)], hours: 8...20, models: models, power: -40)
        #expect(log.share(within: .hour) == 0)
        #expect(log.share(within: .day) == 1)
        // From 22 or 6 o’clock to 8.
        #expect(log.bikes.allSatisfy { $0.values.allSatisfy { (1.8 * 3600...10 * 3600).contains($0) } })
    }

    @Test("what is in a cellar is never heard, and a wall takes its share")
    func walls() async throws {
        let streets = try Cities.straight(metres: 20, every: 20)
        func share(_ changes: [String: Double], _ station: MapPoint) async throws -> Double {
            let models = PlanModels(thieves: [try Cities.model(changes)], city: try Cities.city())
            return try await Cities.steal(2000, on: streets, stations: [station], models: models).log
                .share(within: .month)
        }
        let near = MapPoint(x: 0, y: 0)
        // The thief has it for 1,000 days on average, so 3 % are sold within the search.
        #expect(try await share(["inCellar": 1, "reportedAfter": 10], near) < 0.05)
        let far = MapPoint(x: 0, y: 60)
        let survey = PassSurvey(interval: .seconds(1), measuredPower: -59)
        let (street, indoors) = (
            try await share(["reportedAfter": 10], far),
            try await share(["reportedAfter": 10, "indoors": 1, "wall": 10], far)
        )
        // The bike stands within 8 m of a street of 20 m.
        #expect((survey.decoded(metres: 70, loss: 0)...survey.decoded(metres: 51, loss: 0)).contains(street))
        // Some of those that are sold stand outdoors again.
        #expect((survey.decoded(metres: 70, loss: 10)...survey.decoded(metres: 51, loss: 10) + 0.03).contains(indoors))
        #expect(indoors < street)
    }

    @Test("the beacon that is removed is heard no more")
    func removal() async throws {
        let streets = try Cities.straight(metres: 20, every: 20)
        let model = try Cities.model(["beaconRemoved": 1, "reportedAfter": 12])
        let models = PlanModels(thieves: [model], city: try Cities.city())
        let (log, _) = try await Cities.steal(
            4000, on: streets, stations: [MapPoint(x: 0, y: 0)], models: models, power: -40)
        // Of two exponential times with equal means, either is as likely to be the first.
        #expect(abs(log.share(within: .month) - 0.5) < 0.04)
    }

    @Test("what a station hears does not depend on which other stations there are")
    func others() async throws {
        let models = PlanModels(
            thieves: [
                try Cities.model(["reportedAfter": 1, "buyerRides": 3, "thiefRides": 3, "indoors": 0.5, "wall": 8])
            ],
            city: try Cities.city(["uptime": 0.8, "offAtNight": 0.5]))
        let one = MapPoint(x: 20, y: 40)
        let (alone, _) = try await Cities.steal(300, on: streets, stations: [one], models: models)
        let (many, _) = try await Cities.steal(
            300, on: streets, stations: [MapPoint(x: -300, y: 5), one, MapPoint(x: 10, y: 5)], models: models)
        #expect(alone.bikes.map { $0[0] } == many.bikes.map { $0[1] })
        #expect(alone.bikes.contains { !$0.isEmpty })
    }

    @Test("a bus passes a parked bike once a round, from 6 to 22 o’clock")
    func bus() async throws {
        let models = PlanModels(thieves: [try Cities.model([:])], city: try Cities.city())
        let (log, _) = try await Cities.steal(
            500, on: try Cities.straight(metres: 200), stations: [], models: models, vehicles: 1)
        // A round has at most 400 m, which takes 80 s; some bikes stand beside pieces that it does not drive on.
        let delays = log.bikes.compactMap(\.values.first)
        #expect(delays.count > 50)
        #expect(delays.count { $0 <= 400 } > delays.count * 9 / 10)
    }

    @Test("nights do not count: neither for riders nor for the passes of a bus")
    func nights() {
        let hour = 3600.0
        #expect(WakingHours.time(after: 21 * hour, 2 * hour) == 31 * hour)
        #expect(WakingHours.time(after: 23 * hour, hour) == 31 * hour)
        // At ten minutes past each hour from 6:10 to 21:10.
        let passes = VehiclePasses(lap: hour, first: 600)
        #expect(passes.time(after: 12 * hour, skipping: 0) == 12 * hour + 600)
        #expect(passes.time(after: 12 * hour, skipping: 10) == 30 * hour + 600)
        #expect(VehiclePasses(lap: 20 * hour, first: 17 * hour).time(after: 0, skipping: 0) == nil)
    }
}
