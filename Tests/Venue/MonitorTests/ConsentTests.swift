import Beacons
import Logging
import MissingList
import Presence
import RegistryAPI
import Scanning
import StationStatus
import TestSupport
import Testing

@testable import Monitor

/// With ‘report: ask’ nothing may leave the venue before someone there agrees.
@Suite("Consent")
struct ConsentTests {
    private let folder: TemporaryFolder
    private let outbox: Outbox
    private var maker = VisitMaker()

    init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
    }

    @Test("a visit waits for consent, and is then reported with its updates and the rest of its stay")
    mutating func agreed() async throws {
        var visit = maker.visit()
        try await outbox.record([StationVisit(visit)], asking: true)
        #expect(try await outbox.depth() == 0)
        #expect(try await outbox.awaitingConsent().map(\.visit) == [visit])
        #expect(try await outbox.answer(visit.id, isAgreed: true))
        #expect(try await outbox.pending().map(\.visit) == [visit])
        visit.ended = true
        var next = maker.visit()
        next.stay = visit.stay
        try await outbox.record([StationVisit(visit), StationVisit(next)], asking: true)
        #expect(try await outbox.depth() == 2)
        #expect(try await !outbox.answer(visit.id, isAgreed: true))
    }

    @Test("a dismissed visit is forgotten when it ends, and staff are not asked again")
    mutating func dismissed() async throws {
        var visit = maker.visit()
        try await outbox.record([StationVisit(visit)], asking: true)
        #expect(try await outbox.answer(visit.id, isAgreed: false))
        visit.count += 5
        try await outbox.record([StationVisit(visit)], asking: true)
        #expect(try await outbox.awaitingConsent().isEmpty)
        #expect(try await outbox.openVisits().map(\.visit.id) == [visit.id])
        visit.ended = true
        try await outbox.record([StationVisit(visit)], asking: true)
        let clocks = HandClocks()
        try await outbox.expire(clocks.clock())
        #expect(try await outbox.summary().tally == [.dismissed: 1])
        #expect(try await outbox.depth() == 0)
        #expect(try await outbox.openVisits().isEmpty)
    }

    @Test("without an answer a visit is forgotten after a day, and counted")
    mutating func expired() async throws {
        let visit = maker.visit(ended: true)
        try await outbox.record([StationVisit(visit)], asking: true)
        let clocks = HandClocks()
        clocks.pass(.seconds(86_000))
        try await outbox.expire(clocks.clock())
        #expect(try await outbox.awaitingConsent().count == 1)
        clocks.pass(.seconds(500))
        try await outbox.expire(clocks.clock())
        #expect(try await outbox.summary().awaitingConsent == 0)
        #expect(try await outbox.summary().tally == [.consentExpired: 1])
    }

    @Test("before the clock is set, a day is measured by the boot clock")
    mutating func expiredWithoutClock() async throws {
        let clocks = HandClocks.withoutBattery()
        let clock = clocks.clock()
        let span = BootSpan(boot: clock.boot, first: clock.now, last: clock.now)
        try await outbox.record([StationVisit(maker.visit(ended: true), span: span)], asking: true)
        clocks.pass(.seconds(86_000))
        try await outbox.expire(clock)
        #expect(try await outbox.awaitingConsent().count == 1)
        clocks.pass(.seconds(500))
        try await outbox.expire(clock)
        #expect(try await outbox.awaitingConsent().isEmpty)
    }

    @Test("with ‘never’ nothing is recorded, on disk or elsewhere")
    func never() throws {
        let clocks = HandClocks()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var state = ScanState(
            presence: .standard, venue: Venue(clock: clocks.clock(), policy: .never), logger: logger)
        let beacon = IBeacon(
            identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 4), measuredPower: -59)
        let list = CurrentList(.init(version: ListVersion(number: 1, mark: 1), identities: [beacon.identity]))
        for _ in 0..<5 {
            clocks.pass(.seconds(1))
            var batch = AdvertisementBatch(time: clocks.clock().now)
            let data = beacon.advertisingData
            batch.append(
                time: clocks.clock().now, address: BluetoothAddress(1), addressKind: .random, rssi: -60,
                event: [.legacy], data: data.span.bytes)
            state.take(batch, missing: list)
        }
        state.suspend()
        #expect(state.unwritten.isEmpty)
    }
}
