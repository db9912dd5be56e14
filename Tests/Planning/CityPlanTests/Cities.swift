import Simulation

@testable import CityPlan

/// Small cities and models with known answers.
enum Cities {
    /// A straight street from west to east.
    static func straight(metres: Double, every step: Double = 100) throws -> StreetNetwork {
        try StreetNetwork(line(metres: metres, every: step), source: "straight")
    }

    /// The pieces of a straight street.
    static func line(metres: Double, every step: Double = 100, y: Double = 0) -> [StreetLine] {
        let projection = Projection(centre: Coordinates(within: 0, 0))
        let points = stride(from: 0, through: metres, by: step).map { projection.coordinates(MapPoint(x: $0, y: y)) }
        return zip(points, points.dropFirst()).map { StreetLine(points: [$0, $1], weight: 1) }
    }

    /// A model in which each assumption has one value.
    static func model(_ changes: [String: Double]) throws -> ThiefModel {
        var values: [String: Double] = [
            "stolenAtNight": 0, "reportedAfter": 0.01, "beaconRemoved": 0, "carried": 0, "leavesAtOnce": 0,
            "movedMetres": 100_000, "inCellar": 0, "indoors": 0, "wall": 0, "hidingDays": 1000, "thiefRides": 0,
            "soldInTown": 1, "buyerRides": 0, "rideMetres": 2000, "explores": 0.6, "speed": 4,
        ]
        values.merge(changes) { $1 }
        return try ThiefModel(yaml: yaml(values, "name: known\ndescription: known\nprior: 1\n"), source: "known")
    }

    static func city(_ changes: [String: Double] = [:]) throws -> CityModel {
        var values: [String: Double] = [
            "uptime": 1, "offAtNight": 0, "opens": 8, "closes": 20, "vehicleSpeed": 5, "vanLoss": 5, "vanSpeed": 8,
        ]
        values.merge(changes) { $1 }
        return try CityModel(yaml: yaml(values, ""), source: "city")
    }

    private static func yaml(_ values: [String: Double], _ head: String) -> String {
        head + "assumptions:\n"
            + values.map { "  \($0.key): { from: \($0.value), to: \($0.value), source: known }\n" }.sorted().joined()
    }

    /// When each bike was heard first by each of some stations, in seconds after the report.
    struct Log: HearingSink {
        var bikes: [[Int32: Double]] = []

        mutating func begin(model: Int, area: Int) { bikes.append([:]) }
        mutating func heard(_ station: Int32, after seconds: Double) {
            bikes[bikes.count - 1][station] = seconds
        }
        mutating func end() {}

        func share(within horizon: Horizon) -> Double {
            Double(bikes.count { $0.values.contains { $0 <= horizon.seconds } }) / Double(bikes.count)
        }
    }

    /// Steals bikes past stations at some points.
    static func steal(
        _ bikes: Int, on streets: StreetNetwork, stations: [MapPoint], hours: ClosedRange<Double>? = nil,
        from theft: MapPoint? = nil, models: PlanModels, vehicles: Int = 0, power: Int8 = -59
    ) async throws -> (log: Log, table: PassTable) {
        let thefts = theft.map { [TheftPlace(place: streets.projection.coordinates($0), weight: 1)] } ?? []
        let city = try await City(streets, thefts: thefts, seed: 1)
        let sites = stations.map { Site(name: "s", place: streets.projection.coordinates($0), hours: hours) }
        let table = try await PassTable(PassSurvey(interval: .seconds(1), measuredPower: power), passes: 25, seed: 1)
        let coverage = try await city.coverage(of: sites, reach: table.reach)
        let world = World(models, passes: table, routes: city.routes, seed: 1, drawsVehicles: vehicles > 0)
        var simulator = TheftSimulator(
            city, world, coverage, rounds: VehicleRounds(count: vehicles, in: streets, city.routes, seed: 1),
            hours: StationHours(world, coverage, sites: sites.map(\.hours)), survey: table.survey)
        var log = Log()
        for bike in 0..<bikes { simulator.steal(bike, into: &log) }
        return (log, table)
    }
}
