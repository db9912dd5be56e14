import Beacons
import Foundation
import Logging
import MissingList
import Presence
import RegistryAPI
import Scanning
import TestSupport
import Testing

@testable import Monitor

/// The path from the radio to the outbox when the clock is wrong or jumps, or the machine restarts.
@Suite("The scan loop and the clock")
struct ScanClockTests {
    private let folder: TemporaryFolder
    private let outbox: Outbox
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let missing: IBeacon

    init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
        missing = IBeacon(
            identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 4), measuredPower: -59)
    }

    private func session(_ clock: StationClock) -> ScanState {
        ScanState(presence: .standard, venue: Venue(clock: clock), logger: logger)
    }

    private let list: CurrentList = CurrentList(
        MissingIdentities(
            version: ListVersion(number: 1, mark: 1),
            identities: [BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 4)]))

    /// One frame at the current time.
    private func hear(_ clocks: HandClocks, _ state: inout ScanState) {
        let now = clocks.clock().now
        var batch = AdvertisementBatch(time: now)
        let data = missing.advertisingData
        batch.append(
            time: now, address: BluetoothAddress(1), addressKind: .random, rssi: -60, event: [.legacy],
            data: data.span.bytes)
        state.take(batch, missing: list)
    }

    private func pass(_ clocks: HandClocks, _ duration: Duration, _ state: inout ScanState) {
        clocks.pass(duration)
        state.take(AdvertisementBatch(time: clocks.clock().now), missing: list)
    }

    @Test("a visit that begins in 1970 and ends after the clock is set gets correct times")
    func setMeanwhile() async throws {
        let clocks = HandClocks.withoutBattery()
        let clock = clocks.clock()
        var state = session(clock)
        let began = clocks.truth
        hear(clocks, &state)
        clocks.pass(.seconds(1))
        hear(clocks, &state)
        let before = try #require(state.unwritten.all.first)
        #expect(before.span != nil)
        #expect(before.visit.timeUncertain == true)
        try await outbox.record(state.unwritten.all)
        state.unwritten.wrote(at: ScanInstant(nanoseconds: 0))

        clocks.set(error: .zero, isSynchronised: true)
        clock.observe()
        clocks.pass(.seconds(9))
        hear(clocks, &state)
        let ended = clocks.truth
        pass(clocks, .seconds(200), &state)
        let after = try #require(state.unwritten.all.first)
        #expect(after.visit.id == before.visit.id)
        #expect(after.span == nil)
        #expect(after.visit.timeUncertain == nil)
        #expect(after.visit.firstSeen == began)
        #expect(after.visit.lastSeen == ended)
    }

    @Test("setting the clock during a visit makes the visit neither longer nor shorter")
    func setDuringVisit() throws {
        let clocks = HandClocks()
        let clock = clocks.clock()
        var state = session(clock)
        let began = clocks.truth
        hear(clocks, &state)
        clocks.pass(.seconds(1))
        hear(clocks, &state)
        clocks.set(error: .seconds(7200), isSynchronised: true)
        clock.observe()
        clocks.pass(.seconds(5))
        hear(clocks, &state)
        pass(clocks, .seconds(200), &state)
        let visit = try #require(state.unwritten.all.first).visit
        #expect(visit.firstSeen == began)
        #expect(visit.lastSeen == began.advanced(by: .seconds(6)))
    }

    @Test("after a reboot without the time, the old visit ends and the bike's stay continues without a new alert")
    func reboot() async throws {
        let clocks = HandClocks()
        var first = session(clocks.clock())
        hear(clocks, &first)
        clocks.pass(.seconds(1))
        hear(clocks, &first)
        try await outbox.record(first.unwritten.all)
        let old = try #require(try await outbox.openVisits().first).visit

        clocks.reboot(after: .seconds(40), error: .seconds(-1_795_000_000), isSynchronised: false)
        var second = session(clocks.clock())
        try second.resume(try await outbox.openVisits(), at: clocks.clock().now)
        hear(clocks, &second)
        clocks.pass(.seconds(1))
        hear(clocks, &second)
        let visits = second.unwritten.all.map(\.visit)
        #expect(visits.count == 2)
        let ended = try #require(visits.first { $0.id == old.id })
        #expect(ended.ended)
        #expect(ended.lastSeen == old.lastSeen)
        let next = try #require(visits.first { $0.id != old.id })
        #expect(next.stay == old.stay)
        #expect(!next.ended)
    }

    @Test("a restart of the program alone continues a visit that has no times yet")
    func restart() async throws {
        let clocks = HandClocks.withoutBattery()
        var first = session(clocks.clock())
        hear(clocks, &first)
        clocks.pass(.seconds(1))
        hear(clocks, &first)
        try await outbox.record(first.unwritten.all)
        let open = try await outbox.openVisits()
        clocks.pass(.seconds(30))
        var second = session(clocks.clock())
        try second.resume(open, at: clocks.clock().now)
        hear(clocks, &second)
        pass(clocks, .seconds(200), &second)
        let visit = try #require(second.unwritten.all.first)
        #expect(second.unwritten.all.count == 1)
        #expect(visit.visit.id == open.first?.visit.id)
        // The second frame was an update that waited for the next write.
        #expect(visit.visit.count == 2)
        #expect(visit.span?.first == open.first?.span?.first)
    }

    @Test("updates share a write; beginnings and ends are written at once")
    func fewWrites() throws {
        let clocks = HandClocks()
        var state = session(clocks.clock())
        hear(clocks, &state)
        clocks.pass(.seconds(1))
        hear(clocks, &state)
        #expect(state.unwritten.areDue(at: clocks.clock().now))
        state.unwritten.wrote(at: ScanInstant(nanoseconds: 0))
        for _ in 0..<300 {
            clocks.pass(.seconds(1))
            hear(clocks, &state)
        }
        #expect(!state.unwritten.isEmpty)
        #expect(!state.unwritten.areDue(at: clocks.clock().now))
        clocks.pass(.seconds(60))
        #expect(state.unwritten.areDue(at: clocks.clock().now))
    }
}
