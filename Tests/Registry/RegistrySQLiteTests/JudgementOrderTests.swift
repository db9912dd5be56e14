import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryStoreContract

@Suite("The order in which sightings arrive")
struct JudgementOrderTests {
    /// Stations in a row, some kilometres from each other, that hear a few bikes again and again. Visits last longer, and
    /// some reports arrive late.
    @Test(
        "what is stored of a judgement follows from what was heard, in whatever order it arrived",
        arguments: 26..<26 + TestDepth.cases(4, of: 12) as Range<UInt64>)
    func order(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        let stage = Stage(store, seed: seed)
        let owner = try await stage.owner()
        var identities: [BeaconIdentity] = []
        for number in 1...2 as ClosedRange<UInt16> {
            let bike = try await stage.bike(of: owner, Samples.identity(number))
            _ = try await stage.openReport(on: bike.id, of: owner)
            identities.append(bike.identity)
        }
        var stations: [StationID] = []
        for number in 0..<4 {
            let place = Place(latitude: 51.5 + Double(number) / 20, longitude: -0.12, accuracy: 10)
            stations.append(try await stage.station("s\(number)", venue: "v\(number)", place: place))
        }
        var known: [(station: StationID, visit: Visit)] = []
        var late: [(station: StationID, visit: Visit)] = []
        for number in 1...(20 + 10 * UInt64.random(in: 0...8, using: &generator)) {
            stage.clock.advance(
                by: .milliseconds(Int64.random(in: 50...(seed.isMultiple(of: 2) ? 900 : 20_000), using: &generator)))
            var next: (station: StationID, visit: Visit)
            if let place = known.indices.randomElement(using: &generator), Int.random(in: 0..<10, using: &generator) < 3
            {
                next = known[place]
                next.visit.lastSeen = stage.now
                next.visit.count += 1
                known[place] = next
            } else {
                let station = stations[Int.random(in: 0..<stations.count, using: &generator)]
                let visit = Samples.visit(
                    number, of: identities[Int.random(in: 0..<identities.count, using: &generator)], from: stage.now,
                    lasting: .zero)
                next = (station, visit)
                known.append(next)
            }
            late.append(next)
            guard Int.random(in: 0..<10, using: &generator) > 1 else { continue }
            for (station, visit) in late.shuffled(using: &generator) { _ = try await stage.record(visit, by: station) }
            late = []
            try await stage.judge()
            _ = try await store.verifyAudit(nil, against: [])
        }
    }
}
