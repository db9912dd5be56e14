import Beacons
import GRDB
import Logging
import MissingList
import OperatingSystem
import Presence
import RegistryAPI
import ServiceLifecycle
import TestSupport
import Testing

@testable import Monitor

@Suite("Scan loop")
struct ScanLoopTests {
    private let missing = IBeacon(
        identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 4), measuredPower: -59
    )
    private let stranger = IBeacon(
        identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 5), measuredPower: -59
    )
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let folder: TemporaryFolder
    private let outbox: Outbox
    /// Signalled at each write to the outbox.
    private let recorded = WakeUp()

    init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
    }

    private func loop(_ scanner: ScriptedScanner, _ other: Outbox? = nil) -> ScanLoop<ScriptedScanner> {
        ScanLoop(
            scanner: scanner,
            list: CurrentList(
                MissingIdentities(version: ListVersion(number: 1, mark: 1), identities: [missing.identity])),
            outbox: other ?? outbox,
            signal: recorded,
            presence: .standard,
            timeline: WallTimeline(ScanInstant(nanoseconds: 0), at: Timestamp(milliseconds: 1_795_241_585_000)),
            place: Place(latitude: 51.5, longitude: -0.12),
            logger: logger
        )
    }

    /// Runs a loop in a service group until the outbox meets a condition, then stops the group as SIGTERM does.
    private func run(_ scanner: ScriptedScanner, until isDone: (Outbox) async throws -> Bool) async throws {
        let group = ServiceGroup(configuration: .init(services: [.init(service: loop(scanner))], logger: logger))
        let task = Task { try await group.run() }
        while try await !isDone(outbox) { await recorded.wait() }
        await group.triggerGracefulShutdown()
        try await task.value
    }

    @Test("only a missing bike is recorded, with its place and wall time; all other beacons are discarded")
    func matches() async throws {
        let scanner = ScriptedScanner()
        for second in 1...5 {
            scanner.hear(stranger, at: Int64(second))
            scanner.hear(missing, at: Int64(second), rssi: Int8(-60 - second))
        }
        scanner.end()
        try await loop(scanner).run()
        let visits = try await outbox.pending().map(\.visit)
        #expect(visits.count == 1)
        let visit = try #require(visits.first)
        #expect(visit.identity == missing.identity)
        #expect(visit.count == 5)
        #expect(visit.rssi == SignalStrength(min: -65, max: -61))
        #expect(visit.firstSeen == Timestamp(milliseconds: 1_795_241_586_000))
        #expect(visit.lastSeen == Timestamp(milliseconds: 1_795_241_590_000))
        #expect(visit.place == Place(latitude: 51.5, longitude: -0.12))
        #expect(visit.ended)
    }

    @Test("a visit names the receiver that heard it best, with its place, and no adapter of the machine")
    func receivers() async throws {
        let bar = VenueReceiver(name: "bar", place: Place(latitude: 51.501, longitude: -0.12))
        let timeline = WallTimeline(ScanInstant(nanoseconds: 0), at: Timestamp(milliseconds: 1_795_241_585_000))
        let list = CurrentList(
            MissingIdentities(version: ListVersion(number: 1, mark: 1), identities: [missing.identity]))
        func run(_ scanner: ScriptedScanner) async throws -> VenueReceiver? {
            scanner.pass(to: 1000)
            scanner.end()
            try await ScanLoop(
                scanner: scanner, list: list, outbox: outbox, signal: recorded, presence: .standard,
                venue: Venue(clock: StationClock(.system(), playing: timeline), receivers: ["bar": bar]),
                logger: logger
            ).run()
            return try await outbox.pending().map(\.visit).max { $0.id < $1.id }?.receiver
        }
        let first = ScriptedScanner()
        first.hear(missing, at: 1, rssi: -70, by: "hci0")
        first.hear(missing, at: 2, rssi: -60, by: "bar")
        #expect(try await run(first) == bar)
        let second = ScriptedScanner()
        second.hear(missing, at: 2000, rssi: -60, by: "bar")
        second.hear(missing, at: 2001, rssi: -50, by: "hci0")
        second.pass(to: 3000)
        #expect(try await run(second) == nil)
    }

    @Test("silence of three minutes ends a visit; the next frames begin another")
    func twoVisits() async throws {
        let scanner = ScriptedScanner()
        for second in [1, 2, 400, 401] { scanner.hear(missing, at: Int64(second)) }
        scanner.pass(to: 1000)
        scanner.end()
        try await loop(scanner).run()
        let visits = try await outbox.pending().map(\.visit)
        #expect(visits.map(\.count) == [2, 2])
        #expect(Set(visits.map(\.id)).count == 2)
        #expect(Set(visits.map(\.stay)).count == 2)
    }

    @Test("a restarted monitor continues the same visit")
    func restart() async throws {
        let first = ScriptedScanner()
        for second in 1...3 { first.hear(missing, at: Int64(second)) }
        try await run(first) { try await !$0.pending().isEmpty }
        let open = try await outbox.openVisits()
        let stopped = try #require(open.first).visit

        let second = ScriptedScanner()
        for time in 60...61 { second.hear(missing, at: Int64(time)) }
        second.pass(to: 500)
        second.end()
        try await loop(second).run()
        let visits = try await outbox.pending().map(\.visit)
        #expect(visits.map(\.id) == [stopped.id])
        #expect(visits.first?.firstSeen == stopped.firstSeen)
        #expect(visits.first?.count == stopped.count + 2)
        #expect(visits.first?.ended == true)
    }

    @Test("a monitor that was stopped too long ends the old visit and begins another")
    func longAway() async throws {
        let first = ScriptedScanner()
        for second in 1...2 { first.hear(missing, at: Int64(second)) }
        try await run(first) { try await !$0.pending().isEmpty }

        let second = ScriptedScanner()
        for time in 1000...1001 { second.hear(missing, at: Int64(time)) }
        second.end()
        try await loop(second).run()
        let visits = try await outbox.pending().map(\.visit)
        #expect(visits.count == 2)
        #expect(visits.first?.lastSeen == Timestamp(milliseconds: 1_795_241_587_000))
        #expect(visits.filter(\.ended).count == 2)
    }

    @Test("while the disk cannot be written to, nothing is forgotten, and all is written once it can be")
    func failingDisk() async throws {
        let (attempts, attempted) = AsyncStream.makeStream(of: OutboxStep.self)
        let outbox = try Outbox(path: folder.file("failing.sqlite")) { attempted.yield($0) }
        try await outbox.database.write { db in
            try db.execute(
                sql: "CREATE TRIGGER failing BEFORE INSERT ON visit BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        }
        let scanner = ScriptedScanner()
        for second in 1...2 { scanner.hear(missing, at: Int64(second)) }
        let task = Task { [loop = loop(scanner, outbox)] in try await loop.run() }
        // A second attempt shows that the first has failed.
        var steps = attempts.makeAsyncIterator()
        while let step = await steps.next(), step != .recording { continue }
        scanner.pass(to: 3)
        while let step = await steps.next(), step != .recording { continue }
        try await outbox.database.write { try $0.execute(sql: "DROP TRIGGER failing") }
        scanner.pass(to: 4)
        scanner.end()
        try await task.value
        #expect(try await outbox.pending().map(\.visit.count) == [2])
    }

    @Test("a stop while the disk is full says so in words")
    func stopWithFullDisk() async throws {
        let outbox = try Outbox(path: folder.file("full.sqlite"))
        try await outbox.database.write { db in
            try db.execute(
                sql: "CREATE TRIGGER failing BEFORE INSERT ON visit BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        }
        let scanner = ScriptedScanner()
        scanner.hear(missing, at: 1)
        scanner.end()
        await #expect(throws: OutboxError.self) { try await loop(scanner, outbox).run() }
        let words = OutboxError(path: "outbox", underlying: DatabaseError(resultCode: .SQLITE_FULL)).description
        #expect(
            words
                == "the outbox outbox cannot be used: the disk is full. Check that its folder exists, is writable and has "
                + "room")
    }
}
