import Beacons
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

extension StoreContract {
    static let orders = [
        StoreContract("sightings are the same in any order of their reports") { _, stage in
            let owner = try await stage.owner()
            var stations: [StationID] = []
            for number in 0..<4 {
                let place = Place(latitude: 51 + Double(number) * 0.2, longitude: 0, accuracy: 10)
                stations.append(try await stage.station("s\(number)", venue: "v\(number / 2)", place: place))
            }
            var generator = SeededGenerator(seed: 7)
            let start = stage.now
            let told = (0..<14 as Range<UInt64>).flatMap { number in
                Self.reports(ofVisit: number, from: start, stations, using: &generator)
            }
            var outcomes: Set<[String]> = []
            for minor in 1...8 as ClosedRange<UInt16> {
                let bike = try await stage.bike(of: owner, Samples.identity(minor))
                let report = try await stage.openReport(on: bike.id, of: owner)
                for (station, visit) in told.shuffled(using: &generator) {
                    var visit = visit
                    visit.identity = Samples.identity(minor)
                    visit.id = VisitID(high: UInt64(minor), low: visit.id.low)
                    visit.stay = StayID(high: UInt64(minor), low: visit.stay.low)
                    _ = try await stage.record(visit, by: station)
                }
                let sightings = try await stage.sightings(of: report, by: owner).sorted { $0.id < $1.id }
                outcomes.insert(sightings.map { "\($0.id.low) \($0.firstSeen) \($0.lastSeen) \($0.reasons)" })
            }
            #expect(outcomes.count == 1)
            #expect(outcomes.first?.contains { $0.contains("tooFast") } == true)
            #expect(outcomes.first?.contains { $0.contains("otherVenue") } == true)
        },
        StoreContract("a late visit is judged with those around it, and they are judged again") { _, stage in
            let (owner, report, station) = try await stage.missingBike()
            let far = try await stage.station(
                "far", venue: "Far", place: Place(latitude: 53, longitude: 0, accuracy: 10))
            let start = stage.now
            for number in 0..<60 as Range<UInt64> {
                let first = start.advanced(by: .seconds(Int64(number) * 600))
                _ = try await stage.record(Samples.visit(number, from: first), by: station)
            }
            _ = try await stage.record(
                Samples.visit(99, from: start.advanced(by: .seconds(30 * 600 + 300))), by: far)
            let disputed = try await stage.sightings(of: report, by: owner)
                .filter { $0.reasons.contains(.tooFast) }.map(\.id.low)
            // 167 km take forty minutes at 250 km/h: four visits before and four after.
            #expect(disputed == [27, 28, 29, 30, 31, 32, 33, 34, 99])
        },
    ]

    /// Three reports of one visit: at its beginning, later, and at its end.
    private static func reports(
        ofVisit number: UInt64, from start: Timestamp, _ stations: [StationID],
        using generator: inout some RandomNumberGenerator
    ) -> [(StationID, Visit)] {
        let station = stations[Int.random(in: 0..<stations.count, using: &generator)]
        let first = start.advanced(by: .seconds(Int.random(in: 0...20_000, using: &generator)))
        return (0..<3).map { part in
            (station, Samples.visit(number, from: first, lasting: .seconds(60 + part * 240)))
        }
    }
}
