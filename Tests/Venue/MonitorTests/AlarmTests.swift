import Beacons
import Logging
import MissingList
import OperatingSystem
import RegistryAPI
import Synchronization
import TestSupport
import Testing

@testable import Monitor

/// Staff must be alerted once to a missing bike that is here, and never to one that is not.
@Suite("Alarms", .timeLimit(.minutes(20)))
struct AlarmTests {
    private let folder: TemporaryFolder
    private let outbox: Outbox
    private let clocks = HandClocks()
    private let list = CurrentList()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let lookFor = BikeAppearance(
        kind: .motorbike, make: "Honda", model: "CB500X", colours: [.red, .black])
    private var maker = VisitMaker()

    init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
        list.replace(with: .empty)
    }

    /// A current visit.
    private mutating func visit(ended: Bool = false) -> Visit {
        var visit = maker.visit(ended: ended)
        visit.firstSeen = clocks.truth
        visit.lastSeen = clocks.truth
        return visit
    }

    private func report(
        _ outbox: Outbox? = nil, list: CurrentList? = nil, lookFor: BikeAppearance?? = .none, bells: [WakeUp] = []
    ) async throws -> RegistryModel {
        let registry = RegistryModel(now: { [clocks] in clocks.truth }, lookFor: lookFor ?? self.lookFor)
        let reporter = Reporter(
            outbox: outbox ?? self.outbox, registry: registry, signal: WakeUp(),
            venue: Venue(clock: clocks.clock()), alarms: AlarmDuty(list: list ?? self.list, bells: bells),
            clock: ImpatientClock(), logger: logger)
        while try await reporter.reportOnce() {}
        return registry
    }

    @Test("a stored visit raises one alarm with a description of the bike, however often it is reported")
    mutating func once() async throws {
        var visit = visit()
        for count in 2...4 {
            visit.count = Int64(count)
            try await outbox.record([visit])
            _ = try await report()
        }
        var next = self.visit()
        next.stay = visit.stay
        visit.ended = true
        try await outbox.record([visit, next])
        _ = try await report()
        let alarms = try await outbox.alarms()
        #expect(alarms.map(\.id) == [visit.id], "a stay that is continued under a new identifier has rung already")
        #expect(alarms.first?.appearance == "red/black Honda CB500X (motorbike)")
        #expect(alarms.first?.isPresent == true)
    }

    @Test("whoever publishes answers that cannot be taken causes one line a minute, which counts the rest")
    func strangeAnswers() async throws {
        let lines = LogLines()
        let source = MonitorVenueSource(
            staff: StaffAnswers(outbox: outbox, venue: Venue(clock: clocks.clock()), signal: WakeUp()), list: list,
            radios: { [] }, logger: lines.logger())
        for visit in [nil, "\(VisitID(high: 9, low: 9))", "x"] {
            for _ in 1...50 { await source.answer(isSeen: true, visit: visit) }
        }
        #expect(
            lines.text == "an answer through the broker names no visit, which works only with one unanswered alarm "
                + "unanswered=0\n")
        clocks.state.withLock { $0.bootTime += .seconds(61) }
        await source.answer(isSeen: true, visit: "x")
        #expect(lines.text.hasSuffix("\nan answer through the broker is for no alarm omitted=149 visit=x\n"))
    }

    @Test("a display of the monitor shows an alarm's bike while it is here, and takes answers, the same one once")
    mutating func display() async throws {
        let visit = visit()
        try await outbox.record([visit])
        _ = try await report()
        let signal = WakeUp()
        let staff = StaffAnswers(outbox: outbox, venue: Venue(clock: clocks.clock()), signal: signal)
        let source = MonitorDisplaySource(
            staff: staff, list: list, listing: ListStatus(), radios: { [] }, isPlaying: true)
        let terms = DisplayTerms(station: "Café", contact: "the police on 101")
        var view = try await source.view(terms)
        #expect(view.station == "Café" && view.contact == terms.contact && view.time == clocks.truth)
        #expect(view.health.state == .listening && view.more == 0)
        #expect(
            view.bikes.map(\.visit) == [visit.id] && view.bikes[0].lookFor == lookFor && view.bikes[0].answer == nil)
        #expect(view.bikes[0].since <= view.bikes[0].lastHeard && view.bikes[0].lastHeard <= view.time)
        for answer in [VisitConfirmation.Answer.seen, .seen, .absent] {
            #expect(try await source.answer(visit.id, answer))
            let shown = try await source.view(terms).bikes.first?.answer
            #expect(shown?.answer == answer)
        }
        #expect(try await source.answer(VisitID(high: 9, low: 9), .seen) == false)
        // The venue's own contact comes first.
        let venues = MonitorDisplaySource(
            staff: staff, list: list, listing: ListStatus(), radios: { [] }, contact: "Sam", isPlaying: true)
        #expect(try await venues.view(terms).contact == "Sam")
        // Not heard for a quarter of an hour, whether or not the visit has ended.
        clocks.state.withLock { state in
            state.truth += 901_000
            state.bootTime += .seconds(901)
        }
        view = try await source.view(terms)
        #expect(view.bikes.isEmpty)
        // Without any radio that hears, the display says so.
        let deaf = MonitorDisplaySource(staff: staff, list: list, listing: ListStatus(), radios: { [] })
        #expect(try await deaf.view(terms).health.state == .deaf)
        let outdated = MonitorDisplaySource(
            staff: staff, list: CurrentList(), listing: ListStatus(), radios: { [] }, isPlaying: true)
        #expect(try await outdated.view(terms).health.state == .outdated)
        let listing = ListStatus()
        listing.failed(CancellationError(), at: staff.venue.clock.now)
        clocks.state.withLock { $0.bootTime += .seconds(900) }
        let silent = MonitorDisplaySource(
            staff: staff, list: list, listing: listing, radios: { [] }, isPlaying: true)
        #expect(try await silent.view(terms).health.state == .silent)
    }

    @Test("no alarm is raised without the owner's consent, for a bike that has left, or from an outdated list")
    mutating func silence() async throws {
        try await outbox.record([visit()])
        _ = try await report(lookFor: .some(nil))
        #expect(try await outbox.alarms().isEmpty)

        try await outbox.record([visit(ended: true)])
        _ = try await report()
        #expect(try await outbox.alarms().isEmpty)

        let now = Mutex(ContinuousClock.now)
        let old = CurrentList(now: { now.withLock(\.self) })
        let unconfirmed = visit()
        try await outbox.record([unconfirmed])
        _ = try await report(list: CurrentList())
        old.replace(with: .empty)
        now.withLock { $0 += .seconds(3601) }
        try await outbox.record([unconfirmed])
        _ = try await report(list: old)
        #expect(try await outbox.alarms().isEmpty)

        // The list is confirmed, and the bike is still there: the next response rings.
        try await outbox.record([unconfirmed])
        _ = try await report()
        #expect(try await outbox.alarms().map(\.id) == [unconfirmed.id])
    }

    @Test("a bike last heard hours ago, before the machine was off, raises no alarm")
    mutating func stale() async throws {
        try await outbox.record([visit()])
        clocks.pass(.seconds(5 * 3600))
        _ = try await report()
        #expect(try await outbox.alarms().isEmpty)
    }

    @Test("a restarted bell rings only for visits that it has not rung for")
    mutating func restart() async throws {
        let (heard, unheard, gone) = (visit(), visit(), visit())
        try await outbox.record([heard])
        _ = try await report()
        let first = ListeningBell()
        try await ringing(first, outbox) { await first.rings(1) }
        #expect(first.rung == [heard.id])

        try await outbox.record([unheard, gone])
        _ = try await report()
        var left = gone
        left.ended = true
        try await outbox.record([left])
        let again = try Outbox(path: folder.file("outbox.sqlite"))
        let second = ListeningBell()
        try await ringing(second, again) { await second.rings(1) }
        #expect(second.rung == [unheard.id])
        let third = ListeningBell()
        try await ringing(third, again) {}
        #expect(try await again.alarmsDue(at: third.name).alarms.isEmpty)
        // Another bell has not rung for any visit.
        #expect(try await again.alarmsDue(at: "other").alarms.map(\.id) == [heard.id, unheard.id])
    }

    @Test("a bell that failed tries again when it is woken, while the bike is there")
    mutating func retry() async throws {
        var visit = visit()
        try await outbox.record([visit])
        _ = try await report()
        let bell = ListeningBell(failures: 2)
        let signal = WakeUp()
        try await ringing(bell, outbox, signal) {
            for attempt in 1...3 {
                await bell.attempts(attempt)
                signal.wake()
            }
        }
        #expect(bell.attempts == 3)
        visit.ended = true
        try await outbox.record([visit])
        #expect(try await outbox.alarmsDue(at: "other").alarms.isEmpty)
    }

    @Test("if more alarms wait than are allowed, the latest ring, and the others are counted")
    mutating func bounded() async throws {
        let visits = (0..<20).map { _ in visit() }
        try await outbox.record(visits)
        _ = try await report()
        let (bell, status) = (ListeningBell(), AlarmStatus())
        try await ringing(bell, outbox, status: status) { await bell.rings(16) }
        #expect(bell.rung == visits.suffix(16).map(\.id))
        #expect(status.state.skipped == 4)
    }

    private func ringing(
        _ bell: ListeningBell, _ outbox: Outbox, _ signal: WakeUp = WakeUp(),
        status: AlarmStatus = AlarmStatus(), _ body: () async throws -> Void
    ) async throws {
        let dispatcher = AlarmDispatcher(bell: bell, outbox: outbox, signal: signal, status: status, logger: logger)
        let task = Task { try await dispatcher.run() }
        try await body()
        try await eventually("no alarm is due") { try await outbox.alarmsDue(at: bell.name).alarms.isEmpty }
        task.cancel()
        try await task.value
    }
}

extension AlarmTests {
    @Test("staff's answer is reported with the visit, and the last answer counts")
    mutating func answers() async throws {
        var visit = visit()
        try await outbox.record([visit])
        _ = try await report()
        #expect(try await outbox.answer(visit.id, .absent, at: clocks.truth))
        // A clock that was set back.
        #expect(try await outbox.answer(visit.id, .seen, at: clocks.truth.advanced(by: .seconds(-3600))))
        #expect(try await outbox.alarms().first?.answer == .seen)
        visit.count += 1
        try await outbox.record([visit])
        let told = try #require(try await report().current.received.first)
        #expect(told.count == visit.count)
        #expect(told.confirmation?.answer == .seen)
        #expect(try await outbox.depth() == 0)
        let stranger = VisitID("0199f0de-0000-7000-8000-000000000001")
        #expect(try await !outbox.answer(try #require(stranger), .seen, at: clocks.truth))
    }

    @Test("staff can answer for a day after the bike has left; then the alarm and the visit are forgotten")
    mutating func late() async throws {
        var visit = visit()
        try await outbox.record([visit])
        _ = try await report()
        visit.ended = true
        try await outbox.record([visit])
        _ = try await report()
        try await outbox.flush()
        #expect(try await outbox.alarms().first?.isPresent == false)

        clocks.pass(.seconds(23 * 3600))
        try await outbox.expire(clocks.clock())
        #expect(try await outbox.answer(visit.id, .absent, at: clocks.truth))
        let told = try #require(try await report().current.received.first)
        #expect(told.confirmation?.answer == .absent)
        #expect(told.ended)

        clocks.pass(.seconds(2 * 3600))
        try await outbox.expire(clocks.clock())
        #expect(try await outbox.alarms().isEmpty)
        #expect(try await outbox.answer(visit.id, .seen, at: clocks.truth) == false)
        #expect(try await outbox.summary() == OutboxSummary())
    }
}

/// A bell that records the visits that it has rung for.
private final class ListeningBell: AlarmBell {
    struct Silent: Error {}

    let name = "listening"
    private let state: Mutex<(failures: Int, attempts: Int, rung: [VisitID])>
    private let attempted = WakeUp()

    init(failures: Int = 0) {
        state = Mutex((failures, 0, []))
    }

    var rung: [VisitID] { state.withLock(\.rung) }
    var attempts: Int { state.withLock(\.attempts) }

    /// Waits until the total number of alarms reaches this count.
    func rings(_ count: Int) async { while rung.count < count { await attempted.wait() } }

    /// Waits until the total number of attempts reaches this count.
    func attempts(_ count: Int) async { while attempts < count { await attempted.wait() } }

    func ring(_ alarm: Alarm) async throws {
        defer { attempted.wake() }
        try state.withLock { state in
            state.attempts += 1
            guard state.failures == 0 else {
                state.failures -= 1
                throw Silent()
            }
            state.rung.append(alarm.id)
        }
    }
}
