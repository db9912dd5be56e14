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

    @Test("a flood that begins a hundred visits a second is written thirty times, and then once a second")
    func writes() {
        var maker = VisitMaker()
        var unwritten = UnwrittenVisits()
        var writes: [ScanInstant] = []
        var written = 0
        for tick in 0..<12_000 {
            let now = ScanInstant(nanoseconds: Int64(tick) * 10_000_000)
            unwritten.add(StationVisit(maker.visit()), .entered, at: now)
            guard unwritten.areDue(at: now) else { continue }
            writes.append(now)
            written += unwritten.all.count
            unwritten.wrote(at: now)
        }
        // Two minutes, each with 30 writes in 0.3 s and then one a second.
        #expect(writes.count <= 2 * (30 + 60), "\(writes.count)")
        #expect(zip(writes, writes.dropFirst()).allSatisfy { $0.duration(to: $1) <= .seconds(1) })
        #expect(written + unwritten.all.count == 12_000, "a new beacon always gets a visit")
    }

    @Test("the first beginnings of a minute are written at once, also in the minute after a flood")
    func prompt() {
        var maker = VisitMaker()
        var unwritten = UnwrittenVisits()
        func isWritten(at seconds: Double) -> Bool {
            let now = ScanInstant(nanoseconds: Int64(seconds * 1e9))
            unwritten.add(StationVisit(maker.visit()), .entered, at: now)
            guard unwritten.areDue(at: now) else { return false }
            unwritten.wrote(at: now)
            return true
        }
        let first = (0..<30).filter { isWritten(at: Double($0) / 100) }
        let later = [0.5, 1.5, 2, 61, 61.01].filter { isWritten(at: $0) }
        #expect(first == Array(0..<30))
        #expect(later == [1.5, 61, 61.01])
    }

    @Test("a flood fills the log with no more than some lines a minute, and says how many were left out")
    func log() throws {
        let lines = LogLines()
        var state = ScanState(
            presence: try PresenceConfiguration(visitCapacity: 500), venue: Venue(clock: clocks.clock()),
            logger: lines.logger())
        let list = CurrentList()
        list.replace(
            with: MissingIdentities(
                version: ListVersion(number: 1, mark: 1), identities: (0..<3000).map { beacon($0).identity }))
        for index in 0..<3000 { state.take(batch(index, at: index / 100), missing: list) }
        state.take(batch(0, at: 90), missing: list)
        // What is written at level debug is for people who have asked for it.
        let text = lines.text.split(separator: "\n").filter { !$0.contains("beacon heard") }
        #expect(text.count <= 2 * (ScanLog.linesPerMinute + 2), "\(text.count)")
        #expect(text.contains { $0.contains("linesLeftOut=") })
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
