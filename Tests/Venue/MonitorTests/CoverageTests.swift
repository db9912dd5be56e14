import Beacons
import Foundation
import Logging
import MissingList
import OperatingSystem
import Presence
import RegistryAPI
import Scanning
import StationStatus
import Synchronization
import TestSupport
import Testing

@testable import Monitor

@Suite("What a station hears in quarters of an hour")
struct CoverageTests {
    // 2026-11-21T12:00:00Z
    private static let noon = Timestamp(milliseconds: 1_795_262_400_000)
    private static let timeline = WallTimeline(ScanInstant(nanoseconds: 0), at: noon)

    private let stranger = IBeacon(
        identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 5), measuredPower: -59)
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let folder: TemporaryFolder
    private let registry: FakeRegistry

    init() throws {
        folder = try TemporaryFolder()
        registry = try FakeRegistry()
    }

    private static func batch(_ seconds: Int64, from addresses: ClosedRange<UInt64>? = 1...1) -> AdvertisementBatch {
        let time = ScanInstant(nanoseconds: seconds * 1_000_000_000)
        var batch = AdvertisementBatch(time: time)
        for address in addresses.map(Array.init) ?? [] {
            batch.append(
                time: time, address: BluetoothAddress(address), addressKind: .random, rssi: -70, event: [.legacy],
                data: [UInt8]().span.bytes)
        }
        return batch
    }

    /// The quarters that a meter measures, with the one in progress.
    private func quarters(
        _ batches: [AdvertisementBatch], listAge: (ScanInstant) -> Duration? = { _ in .zero }
    ) -> [CoverageQuarter] {
        var meter = CoverageMeter { 7 }
        var quarters = batches.compactMap { batch in
            meter.take(batch, at: Self.timeline.timestamp(of: batch.time), listAge: listAge(batch.time))
        }
        if let last = meter.end() { quarters.append(last) }
        return quarters
    }

    private static func quarter(
        _ number: Int, listened: Int = 0, adverts: Int = 0, devices: Int = 0, restarts: Int = 0, listAge: Int? = 0
    ) -> CoverageQuarter {
        CoverageQuarter(
            begins: noon.advanced(by: CoverageQuarter.length * number), listened: listened, adverts: adverts,
            devices: devices, restarts: restarts, listAge: listAge)
    }

    @Test("only time between advertisements that follow each other within a minute counts as listened")
    func listened() {
        let heard = [0, 10, 70, 131, 132].map { Self.batch($0) }
        let silent = [20, 200, 800].map { Self.batch($0, from: nil) }
        let batches = (heard + silent).sorted { $0.time < $1.time }
        #expect(quarters(batches) == [Self.quarter(0, listened: 71, adverts: 5, devices: 1)])
    }

    @Test("each quarter counts for itself, and a silence across its start counts from there")
    func boundary() {
        let batches = [850, 880, 920, 921].map { Self.batch($0, from: $0 < 900 ? 1...3 : 2...3) }
        #expect(
            quarters(batches) == [
                Self.quarter(0, listened: 30, adverts: 6, devices: 3),
                Self.quarter(1, listened: 21, adverts: 4, devices: 2),
            ])
    }

    @Test("the largest age of the list counts, and an unknown one makes it unknown")
    func listAge() {
        let batches = stride(from: 0, to: 900, by: 50).map { Self.batch($0) }
        let growing = quarters(batches) { .seconds(($0.nanoseconds / 1_000_000_000) % 400) }
        #expect(growing.map(\.listAge) == [350])
        #expect(quarters(batches) { $0.nanoseconds == 0 ? nil : .zero }.map(\.listAge) == [nil])
        #expect(quarters([Self.batch(0)]) { _ in .seconds(Int64.max) }.map(\.listAge) == [1 << 31])
    }

    @Test("a clock that is set back or far ahead begins another quarter")
    func jumps() {
        var meter = CoverageMeter { 7 }
        let times = [0, 60_000, -1000, Int64.max].map { Self.noon.advanced(by: .milliseconds($0)) }
        let ended = times.enumerated().map { index, time in
            meter.take(Self.batch(Int64(index)), at: time, listAge: .zero)?.listened
        }
        #expect(ended == [nil, nil, 1, 1] && meter.end()?.listened == 1)
    }

    @Test("the number of addresses is estimated within 3 %, and bounded", arguments: [1, 0xDEAD_BEEF, UInt64.max])
    func devices(salt: UInt64) {
        for number in [0, 1, 10, 100, 1000, 10_000] {
            var count = DeviceCount(salt: salt)
            for address in 0..<UInt64(number) {
                for _ in 0..<2 { count.insert(BluetoothAddress(address), .random) }
            }
            #expect(abs(count.estimate - number) <= max(number < 100 ? 0 : 2, number * 3 / 100), "\(number)")
        }
        var full = DeviceCount(salt: salt)
        for address in 0..<UInt64(400_000) { full.insert(BluetoothAddress(address), .public) }
        #expect(CoverageQuarter(begins: Self.noon, devices: full.estimate).devices == 65_535)
    }

    @Test("quarters are due a minute after their end, the oldest first, as many as fit into a heartbeat")
    func due() {
        var kept = KeptCoverage()
        for number in stride(from: 59, through: 0, by: -1) { kept.add(Self.quarter(number)) }
        #expect(kept.due == [])
        kept.note(Self.noon.advanced(by: .seconds(959)))
        #expect(kept.due == [])
        kept.note(Self.noon.advanced(by: .seconds(960)))
        #expect(kept.due == [Self.quarter(0)])
        kept.note(Self.noon.advanced(by: .seconds(100_000)))
        #expect(kept.due == (0..<48).map { Self.quarter($0) })
        kept.remove(kept.due)
        #expect(kept.due == (48..<60).map { Self.quarter($0) })
    }

    @Test("two days are kept at most, and nothing from a future that a wrong clock left behind")
    func bounds() {
        var kept = KeptCoverage()
        for number in 0..<500 { kept.add(Self.quarter(number)) }
        #expect(kept.quarters == (308..<500).map { Self.quarter($0) })
        kept.note(Self.noon)
        kept.add(Self.quarter(-1))
        #expect(kept.quarters == [Self.quarter(-1)])
    }

    private func loop(
        _ scanner: ScriptedScanner, _ venue: Venue, recoveries: @escaping @Sendable () async -> Int = { 0 }
    ) throws -> ScanLoop<ScriptedScanner> {
        let list = CurrentList(
            MissingIdentities(version: ListVersion(number: 1, mark: 1), identities: []), now: { Self.start })
        list.confirm()
        return ScanLoop(
            scanner: scanner, list: list, outbox: try Outbox(path: folder.file("outbox.sqlite")), signal: WakeUp(),
            presence: .standard, venue: venue, recoveries: recoveries, logger: logger)
    }

    private static let start = ContinuousClock.now

    private func venue(_ policy: ReportPolicy = .always, path: String? = nil) -> Venue {
        Venue(
            clock: StationClock(.system(), playing: Self.timeline), policy: policy,
            coverage: CoverageJournal(path: path))
    }

    /// Hears a stranger every half a minute.
    private func listen(
        _ times: ClosedRange<Int64>, at venue: Venue, recoveries: @escaping @Sendable () async -> Int = { 0 }
    ) async throws {
        let scanner = ScriptedScanner()
        for time in stride(from: times.lowerBound, through: times.upperBound, by: 30) {
            scanner.hear(stranger, at: time)
        }
        scanner.pass(to: times.upperBound + 60)
        scanner.end()
        try await loop(scanner, venue, recoveries: recoveries).run()
    }

    private func beat(_ coverage: CoverageJournal, times: Int = 1) async throws {
        try await Heartbeat(
            registry: try registry.connect(), health: { StationHeartbeat(version: "1.0", adapters: []) },
            coverage: coverage, clock: ImpatientClock(limit: times), logger: logger
        ).run()
    }

    @Test(
        "quarters outlive an outage and a restart in the middle of one, and are sent until acknowledged, then no more")
    func outage() async throws {
        let path = folder.file("coverage.json")
        let first = venue(path: path)
        try await listen(0...1200, at: first)
        try await registry.playPulse(Array(repeating: "503", count: 9))
        try await beat(first.coverage, times: 3)
        #expect(try await registry.state().heartbeats.isEmpty)
        #expect(first.coverage.due.map(\.adverts) == [30])

        try await registry.playPulse([])
        let second = venue(path: path)
        try await listen(1500...2700, at: second)
        try await beat(second.coverage, times: 3)
        let sent = try await registry.state().heartbeats.map(\.coverage)
        #expect(
            sent == [
                [
                    Self.quarter(0, listened: 870, adverts: 30, devices: 1),
                    Self.quarter(1, listened: 570, adverts: 21, devices: 1),
                    Self.quarter(2, listened: 870, adverts: 30, devices: 1),
                ], nil, nil,
            ])
        #expect(second.coverage.due.isEmpty)
    }

    @Test("a registry that stores no coverage gets it again, and a last attempt is made when the monitor stops")
    func oldRegistry() async throws {
        try await registry.ignoreCoverage()
        let venue = venue()
        try await listen(0...900, at: venue)
        try await beat(venue.coverage, times: 2)
        let sent = try await registry.state().heartbeats
        #expect(sent.count == 3 && sent.allSatisfy { $0.coverage?.count == 1 })
        #expect(venue.coverage.due.count == 1)
    }

    @Test("recovery steps of the radios count in the quarter in which they were taken")
    func restarts() async throws {
        let venue = venue()
        let steps = Mutex([2, 2, 5])
        try await listen(0...1800, at: venue) { steps.withLock { $0.isEmpty ? 5 : $0.removeFirst() } }
        try await beat(venue.coverage)
        let sent = try await registry.state().heartbeats.first?.coverage
        #expect(sent?.map(\.restarts) == [2, 0])
    }

    @Test(
        "a venue that does not report every visit says nothing about when it listened",
        arguments: [
            ReportPolicy.ask, .never,
        ])
    func consent(policy: ReportPolicy) async throws {
        let venue = venue(policy)
        try await listen(0...1800, at: venue)
        #expect(venue.coverage.due.isEmpty)
    }

    @Test("nothing counts before the clock is known")
    func unknownTime() async throws {
        let venue = Venue(clock: HandClocks.withoutBattery().clock())
        try await listen(0...1800, at: venue)
        #expect(venue.coverage.due.isEmpty)
    }

    @Test("a damaged file counts as empty", arguments: ["", "{", "[]", #"{"quarters":[{"begins":1}]}"#])
    func damaged(content: String) throws {
        let path = try folder.write(content, to: "coverage.json")
        let journal = CoverageJournal(path: path)
        #expect(journal.due.isEmpty)
        journal.note(Self.noon)
        journal.add(Self.quarter(-9), recoveries: 0)
        try journal.save()
        #expect(CoverageJournal(path: path).due == [Self.quarter(-9)])
    }
}
