import Logging
import OperatingSystem
import RegistryAPI
import RegistryClient
import StationStatus
import Synchronization
import TestSupport
import Testing

@testable import Monitor

@Suite("Reporter")
struct ReporterTests {
    fileprivate let registry: FakeRegistry
    fileprivate let folder: TemporaryFolder
    fileprivate let outbox: Outbox
    fileprivate let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    fileprivate var maker = VisitMaker()

    init() throws {
        registry = try FakeRegistry()
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
    }

    private func reporter(_ clock: ImpatientClock = ImpatientClock()) throws -> Reporter {
        Reporter(
            outbox: outbox, registry: try registry.connect(), signal: WakeUp(), clock: clock, logger: logger
        )
    }

    /// Runs the reporter until it has nothing left and waits for a signal.
    private func reportAll(_ clock: ImpatientClock = ImpatientClock()) async throws {
        try await reporter(clock).drain(outbox)
    }

    @Test("a registry that is cut off, restored and cut off again gets every visit exactly once")
    mutating func cutAndRestored() async throws {
        try await registry.play(["cut", "503", "lost", "500", "429", "lost", "cut"])
        let visits = (0..<1200).map { _ in maker.visit(ended: true) }
        try await outbox.record(visits)
        let clock = ImpatientClock()
        try await reportAll(clock)
        let state = try await registry.state()
        #expect(Set(state.visits.keys) == Set(visits.map { "\($0.id)" }))
        // Seven failed attempts, some of which libcurl itself repeats on a new connection because a kept one was
        // dead, and batches that grow again after failures made them small.
        #expect(state.reports < 25)
        #expect(clock.sleeps.filter { $0 >= .seconds(3) }.count >= 3, "Retry-After was not honoured")
    }

    @Test("a lost response repeats the visit, and the registry still stores it once")
    mutating func lostAnswer() async throws {
        try await registry.play(["lost"])
        try await outbox.record([maker.visit()])
        try await reportAll()
        #expect(try await registry.state().visits.count == 1)
    }

    @Test("a refused request keeps all visits", arguments: ["401", "403", "413"])
    mutating func refused(status: String) async throws {
        try await registry.play([status])
        try await outbox.record([maker.visit(), maker.visit()])
        try await reportAll()
        #expect(try await registry.state().visits.count == 2)
    }

    @Test("an invalid visit is set aside, and the next one is accepted")
    mutating func invalid() async throws {
        try await registry.play(["invalid"])
        let bad = maker.visit()
        try await outbox.record([bad])
        try await reportAll()
        let good = maker.visit()
        try await outbox.record([good])
        try await reportAll()
        #expect(try await registry.state().visits.keys.map { $0 } == ["\(good.id)"])
        #expect(try await outbox.refusals().map(\.visit.id) == [bad.id])
    }
}

extension ReporterTests {
    @Test("a batch that is too large is split until it is accepted")
    mutating func tooLarge() async throws {
        let registry = RegistryModel(now: { [now = VisitMaker.time] in now }) { $0.count > 60 ? .tooLarge : .answered }
        try await outbox.record((0..<500).map { _ in maker.visit(ended: true) })
        try await report(to: registry)
        #expect(registry.current.visits.count == 500)
        #expect(registry.current.reports < 40)
    }

    @Test("a visit that causes server errors blocks no other visit, and stays")
    mutating func poison() async throws {
        let visits = (0..<100).map { _ in maker.visit(ended: true) }
        let poison = visits[37].id
        let registry = RegistryModel(now: { [now = VisitMaker.time] in now }) { batch in
            batch.contains { $0.id == poison } ? .failing : .answered
        }
        try await outbox.record(visits)
        try await report(to: registry, until: 1)
        #expect(registry.current.visits.count == 99)
        #expect(try await outbox.pending().map(\.visit.id) == [poison])
        #expect(try await outbox.refusals().isEmpty)
    }

    @Test("a refused token pauses reports with a reason, until it is accepted")
    mutating func paused() async throws {
        let registry = RegistryModel(now: { [now = VisitMaker.time] in now }) { _ in .unauthorised }
        try await outbox.record([maker.visit(ended: true)])
        let clock = ImpatientClock(limit: 3)
        let reporter = Reporter(
            outbox: outbox, registry: registry, signal: WakeUp(), clock: clock, logger: logger)
        try await reporter.run()
        #expect(clock.sleeps.prefix(2) == [.seconds(30), .seconds(270)])
        #expect(reporter.status.state.pause == .tokenRefused)
        #expect(reporter.status.state.lastError != nil)
        #expect(try await outbox.depth() == 1)
    }

    @Test("an outage of three seconds delays an alert by seconds, and the alert about a new bike by no more")
    mutating func shortOutage() async throws {
        let (first, second) = (maker.visit(), maker.visit())
        let (signal, clock) = (WakeUp(), ImpatientClock())
        let outage = Duration.seconds(3)
        let registry = RegistryModel(now: { [now = VisitMaker.time] in now }) { _ in
            clock.now.offset < outage ? .failing : .answered
        }
        try await outbox.record([first])
        let reporter = Reporter(outbox: outbox, registry: registry, signal: signal, clock: clock, logger: logger)
        try await reporter.drain(outbox) {
            await registry.reported.wait()
            try await outbox.record([second])
            signal.wake()
        }
        #expect(clock.now.offset <= .seconds(7))
        #expect(Set(registry.current.visits.keys) == [first.id, second.id])
    }

    @Test("a new visit wakes a waiting reporter, and the wait still ends with the outage")
    mutating func woken() async throws {
        let (signal, clock) = (WakeUp(), SteppedClock())
        let isUp = Mutex(false)
        let registry = RegistryModel(now: { [now = VisitMaker.time] in now }) { _ in
            isUp.withLock(\.self) ? .answered : .unauthorised
        }
        try await outbox.record([maker.visit()])
        let reporter = Reporter(outbox: outbox, registry: registry, signal: signal, clock: clock, logger: logger)
        let next = maker.visit()
        try await reporter.drain(outbox) {
            // At least thirty seconds of the five-minute pause after a refused token.
            await clock.sleepers()
            clock.advance(by: .seconds(30))
            await clock.sleepers()
            isUp.withLock { $0 = true }
            try await outbox.record([next])
            signal.wake()
        }
        #expect(registry.current.visits.count == 2)
    }

    @Test("a backlog drains over a line that manages sixty visits before the time-out")
    mutating func slowLine() async throws {
        let registry = RegistryModel(now: { [now = VisitMaker.time] in now }) { $0.count > 60 ? .tooSlow : .answered }
        try await outbox.record((0..<1000).map { _ in maker.visit(ended: true) })
        try await report(to: registry)
        #expect(registry.current.visits.count == 1000)
        // Few requests are wasted on sizes that fail.
        #expect(registry.current.reports < 45)
    }

    @Test("bikes that are still there are reported first, then the oldest visits")
    mutating func order() async throws {
        let visits = [maker.visit(ended: true), maker.visit(ended: true), maker.visit(), maker.visit(ended: true)]
        try await outbox.record(visits)
        let told = try await outbox.pending().map(\.visit.id)
        #expect(told == [visits[2], visits[0], visits[1], visits[3]].map(\.id))
    }

    @Test("a visit that was set aside is sent again when it has changed")
    mutating func judgedAgain() async throws {
        try await registry.play(["invalid"])
        var visit = maker.visit()
        try await outbox.record([visit])
        try await reportAll()
        #expect(try await outbox.refusals().count == 1)
        visit.count += 1
        try await outbox.record([visit])
        try await reportAll()
        #expect(try await outbox.refusals().isEmpty)
        #expect(try await registry.state().visits.keys.map { $0 } == ["\(visit.id)"])
    }

    @Test("a venue that wants no partner to get its visits says so with each report", arguments: [true, false])
    mutating func partners(isAllowed: Bool) async throws {
        try await outbox.record([maker.visit()])
        let clock = StationClock(.system())
        let venue = Venue(clock: clock, partners: PartnerStatus(isAllowed: isAllowed))
        let registry = RegistryModel(now: { clock.wallTime })
        let reporter = Reporter(outbox: outbox, registry: registry, signal: WakeUp(), venue: venue, logger: logger)
        #expect(try await reporter.reportOnce())
        #expect(registry.current.reports == 1 && registry.current.forPartners == (isAllowed ? 1 : 0))
    }

    private func report(to registry: RegistryModel, until depth: Int = 0) async throws {
        let reporter = Reporter(
            outbox: outbox, registry: registry, signal: WakeUp(), clock: ImpatientClock(), logger: logger)
        try await reporter.drain(outbox, to: depth)
    }
}
