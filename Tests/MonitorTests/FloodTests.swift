import Beacons
import MissingList
import Presence
import RegistryAPI
import TestSupport
import Testing

@testable import Monitor

/// Someone replays the beacons of many missing bikes at a venue.
@Suite("A flood of replayed beacons")
struct FloodTests {
    private let clocks = HandClocks()

    private func session(capacity: Int) throws -> ScanSession<SeededGenerator> {
        ScanSession(
            presence: try PresenceConfiguration(visitCapacity: capacity), venue: Venue(clock: clocks.clock()),
            generator: SeededGenerator(seed: 1))
    }

    private func beacon(_ minor: Int) -> IBeacon {
        IBeacon(
            identity: BeaconIdentity(
                uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: UInt16(truncatingIfNeeded: minor)),
            measuredPower: -59)
    }

    private func batch(_ minor: Int, at seconds: Int) -> AdvertisementBatch {
        let instant = ScanInstant(nanoseconds: Int64(seconds) * 1_000_000_000)
        var batch = AdvertisementBatch(time: instant)
        let data = beacon(minor).advertisingData
        batch.append(
            time: instant, address: BluetoothAddress(1), addressKind: .random, rssi: -70, event: .legacy,
            data: data.span.bytes)
        return batch
    }

    @Test("an evicted visit that is heard again continues its stay, and is not alerted twice")
    func sameStay() throws {
        var session = try session(capacity: 2)
        let list = MissingIdentities(
            version: ListVersion(number: 1, mark: 1), identities: (0..<10).map { beacon($0).identity })
        var visits: [(kind: PresenceEvent.Kind, visit: Visit)] = []
        for (second, minor) in [0, 1, 2, 0].enumerated() {
            visits += session.take(batch(minor, at: second), missing: list) { _, _, _ in }
                .map { (kind: $0.kind, visit: $0.visit.visit) }
        }
        let own = visits.filter { $0.visit.identity.minor == 0 }
        #expect(own.map(\.kind) == [.entered, .displaced, .entered])
        #expect(own.map(\.visit.ended) == [false, true, false])
        #expect(Set(own.map(\.visit.stay)).count == 1 && Set(own.map(\.visit.id)).count == 2)
        #expect(session.displacedVisits == 2)
    }

    @Test("stays are kept for a limited number of beacons and a limited time, and each is used once")
    func bounds() throws {
        var stays = OpenStays()
        var generator = SeededGenerator(seed: 2)
        let stay = StayID(at: clocks.truth, using: &generator)
        let end = ScanInstant(nanoseconds: 100)
        stays.keep(stay, of: beacon(1).identity, until: end)
        #expect(stays.take(beacon(1).identity, at: ScanInstant(nanoseconds: 101)) == nil)
        stays.keep(stay, of: beacon(1).identity, until: end)
        for minor in 2...4097 { stays.keep(stay, of: beacon(minor).identity, until: end) }
        #expect(stays.take(beacon(1).identity, at: end) == stay)
        #expect(stays.take(beacon(1).identity, at: end) == nil)
        for minor in 5000...14_000 { stays.keep(stay, of: beacon(minor).identity, until: end) }
        #expect(stays.take(beacon(2).identity, at: end) == nil)
    }

    @Test("if the disk holds more open visits than may be open, the monitor starts and continues the latest")
    func resume() throws {
        var maker = VisitMaker()
        let visits = (0..<5).map { minor in
            var visit = maker.visit()
            visit.identity = beacon(minor).identity
            return StationVisit(visit)
        }
        var session = try session(capacity: 3)
        let changes = try session.resume(visits, at: clocks.clock().now)
        #expect(changes.map(\.visit.visit.id) == visits.prefix(2).map(\.visit.id))
        #expect(changes.allSatisfy { $0.visit.visit.ended })
        #expect(session.openVisits().count == 3)
    }
}
