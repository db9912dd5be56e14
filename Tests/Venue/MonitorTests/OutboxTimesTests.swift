import Beacons
import Logging
import OperatingSystem
import RegistryAPI
import RegistryRules
import StationStatus
import TestSupport
import Testing

@testable import Monitor

/// A Raspberry Pi has no clock battery: visits from before it knew the time must still be reported with correct times.
@Suite("Visits while the clock is not set")
struct OutboxTimesTests {
    private let folder: TemporaryFolder
    private let outbox: Outbox
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private var maker = VisitMaker()

    init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
    }

    private func upkeep(_ clock: StationClock) -> OutboxUpkeep {
        OutboxUpkeep(outbox: outbox, venue: Venue(clock: clock), signal: WakeUp(), logger: logger)
    }

    private func reporter(_ registry: RegistryModel, _ clock: StationClock) -> Reporter {
        Reporter(
            outbox: outbox, registry: registry, signal: WakeUp(), venue: Venue(clock: clock), logger: logger)
    }

    /// A visit within the last ten seconds, as the recorder makes it.
    private mutating func visit(_ clocks: HandClocks, _ clock: StationClock, ended: Bool = true) -> StationVisit {
        var visit = maker.visit(ended: ended)
        let isCertain = clock.isCertain
        visit.lastSeen = clock.wallTime
        visit.firstSeen = visit.lastSeen.advanced(by: .seconds(-10))
        visit.timeUncertain = isCertain ? nil : true
        let span = BootSpan(boot: clock.boot, first: clock.now.advanced(by: .seconds(-10)), last: clock.now)
        return StationVisit(visit, span: isCertain ? nil : span)
    }

    @Test("before the clock is set, a visit is reported with its age, and the registry dates it")
    mutating func secondsAgo() async throws {
        let clocks = HandClocks.withoutBattery()
        let clock = clocks.clock()
        #expect(!clock.isCertain)
        let truth = clocks.truth
        try await outbox.record([visit(clocks, clock)])
        clocks.pass(.seconds(90))
        let registry = RegistryModel(now: { clocks.truth })
        #expect(try await reporter(registry, clock).reportOnce())
        let told = try #require(registry.current.received.first)
        #expect(told.secondsAgo == 90)
        let stored = try #require(registry.current.visits.values.first)
        #expect(stored.lastSeen == truth)
        #expect(stored.firstSeen == truth.advanced(by: .seconds(-10)))
        #expect(stored.timeUncertain == true)
    }

    @Test("once the clock is set, the visit is reported again with its times, and then forgotten")
    mutating func corrected() async throws {
        let clocks = HandClocks.withoutBattery()
        let clock = clocks.clock()
        let truth = clocks.truth
        try await outbox.record([visit(clocks, clock)])
        let registry = RegistryModel(now: { clocks.truth.advanced(by: .seconds(3)) })
        #expect(try await reporter(registry, clock).reportOnce())
        try await outbox.flush()
        #expect(try await outbox.summary().awaitingClock == 1)

        clocks.pass(.seconds(600))
        clocks.set(error: .zero, isSynchronised: true)
        try await upkeep(clock).attach()
        #expect(try await reporter(registry, clock).reportOnce())
        #expect(registry.current.visits.count == 1)
        let stored = try #require(registry.current.visits.values.first)
        #expect(stored.lastSeen == truth)
        #expect(stored.timeUncertain != true)
        try await outbox.flush()
        #expect(try await outbox.summary() == OutboxSummary())
    }

    @Test("a jump of an unsynchronised clock moves no visit", arguments: [86_400, -86_400, 1_000_000_000])
    mutating func jumps(seconds: Int) async throws {
        let clocks = HandClocks()
        let clock = clocks.clock()
        clocks.set(error: .seconds(seconds), isSynchronised: false)
        clocks.pass(.seconds(3600))
        clock.observe()
        #expect(clock.isCertain)
        #expect(clock.wallTime == clocks.truth)
    }

    @Test("a jump of a synchronised clock makes no waiting visit old, also after a restart of the program")
    mutating func jumpsForward() async throws {
        let clocks = HandClocks()
        let clock = clocks.clock()
        try await upkeep(clock).prepare()
        try await outbox.record([visit(clocks, clock)])
        try await outbox.record([visit(clocks, clock)], asking: true)
        clocks.pass(.seconds(600))
        clocks.set(error: .days(40), isSynchronised: true)
        try await upkeep(clock).attach()
        #expect(clock.wallTime == clocks.truth.advanced(by: .days(40)))
        try await outbox.expire(clock)
        #expect(try await outbox.pending().count == 1)
        #expect(try await outbox.awaitingConsent().count == 1)

        let again = clocks.clock()
        try await upkeep(again).prepare()
        try await outbox.expire(again)
        #expect(try await outbox.pending().count == 1)
        #expect(try await outbox.awaitingConsent().count == 1)

        clocks.pass(.days(31))
        try await outbox.expire(again)
        #expect(try await outbox.pending().isEmpty)
        #expect(try await outbox.awaitingConsent().isEmpty)
        #expect(try await outbox.summary().tally[.droppedForAge] == 1)
    }

    @Test("what is known about a boot's time is kept across restarts of the program")
    func restart() async throws {
        let clocks = HandClocks()
        try await upkeep(clocks.clock()).prepare()
        clocks.set(error: .seconds(-5000), isSynchronised: false)
        clocks.pass(.seconds(60))
        let again = clocks.clock()
        #expect(!again.isCertain)
        try await upkeep(again).prepare()
        #expect(again.isCertain)
        #expect(again.wallTime == clocks.truth)
    }

    @Test("a visit from a boot without a known time is reported as before the current boot, and marked uncertain")
    mutating func rebootUnsynchronised() async throws {
        let clocks = HandClocks.withoutBattery()
        try await outbox.record([visit(clocks, clocks.clock())])
        clocks.reboot(after: .seconds(300), error: .seconds(-1_795_241_000), isSynchronised: false)
        clocks.pass(.seconds(100))
        let registry = RegistryModel(now: { clocks.truth })
        #expect(try await reporter(registry, clocks.clock()).reportOnce())
        #expect(registry.current.received.first?.secondsAgo == 120)
        #expect(registry.current.visits.values.first?.timeUncertain == true)
    }

    @Test("a visit from a boot without a known time is placed between the known times before and after")
    mutating func rebootThenSynchronised() async throws {
        let clocks = HandClocks()
        let known = clocks.truth
        try await upkeep(clocks.clock()).prepare()
        clocks.reboot(after: .seconds(60), error: .milliseconds(-1_795_241_565_000), isSynchronised: false)
        try await outbox.record([visit(clocks, clocks.clock())])
        clocks.reboot(after: .seconds(60), error: .zero, isSynchronised: true)
        let clock = clocks.clock()
        try await upkeep(clock).prepare()
        let pending = try await outbox.pending().map { $0.kept.reported(by: clock) }
        let told = try #require(pending.first)
        #expect(told.timeUncertain == true)
        #expect(told.secondsAgo == nil)
        #expect(told.firstSeen >= known)
        #expect(told.lastSeen <= clocks.truth)
        #expect(told.firstSeen.duration(to: told.lastSeen) == .seconds(10))
    }
}
