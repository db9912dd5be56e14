import Beacons
import Logging
import MissingList
import OperatingSystem
import RegistryAPI
import TestSupport
import Testing

@testable import Monitor

/// A rotating beacon begins a visit every 17 minutes; staff must be alerted to its bike once.
@Suite("Stays of rotating beacons", .timeLimit(.minutes(20)))
struct RotationTests {
    private let folder: TemporaryFolder
    private let outbox: Outbox
    private let clocks = HandClocks()
    private let list = CurrentList()
    private var rung: [VisitID] = []
    private var maker = VisitMaker()

    init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
        list.replace(with: .empty)
    }

    private mutating func visit() -> Visit {
        var visit = maker.visit()
        visit.firstSeen = clocks.truth
        visit.lastSeen = clocks.truth
        return visit
    }

    /// Reports what is due to a registry that says which stay each visit goes on with.
    private mutating func report(continuing: [VisitID: StayID] = [:]) async throws {
        let registry = RegistryModel(
            now: { [clocks] in clocks.truth },
            lookFor: BikeAppearance(kind: .motorbike, make: "Honda", model: "CB500X", colours: [.red]),
            continuing: continuing)
        let reporter = Reporter(
            outbox: outbox, registry: registry, signal: WakeUp(), venue: Venue(clock: clocks.clock()),
            alarms: AlarmDuty(list: list), clock: ImpatientClock(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        while try await reporter.reportOnce() {}
        let due = try await outbox.alarmsDue(at: "lamp").alarms
        for alarm in due { try await outbox.noteRung(alarm, at: "lamp") }
        rung += due.map(\.id)
    }

    @Test("a change of identity is no new alarm, and the bike stays present until its last visit ends")
    mutating func slots() async throws {
        var visits: [Visit] = []
        for slot in 0..<4 {
            var next = visit()
            next.firstSeen = clocks.truth
            visits.append(next)
            try await outbox.record([next])
            try await report(continuing: slot == 0 ? [:] : [next.id: visits[0].stay])
            if slot > 0 {
                visits[slot - 1].ended = true
                try await outbox.record([visits[slot - 1]])
                try await report()
            }
            let alarms = try await outbox.alarms()
            #expect(alarms.map(\.id) == [visits[0].id] && alarms[0].isPresent)
        }
        visits[3].ended = true
        try await outbox.record([visits[3]])
        try await report(continuing: [visits[3].id: visits[0].stay])
        #expect(try await outbox.alarms().map(\.isPresent) == [false])
        #expect(rung == [visits[0].id])
    }

    @Test("a bike that could not ring at first rings once under a later identity")
    mutating func later() async throws {
        let (first, second, third) = (visit(), visit(), visit())
        // The response to the first visit has not arrived when the second is reported.
        try await outbox.record([second])
        try await report(continuing: [second.id: first.stay])
        try await outbox.record([first, third])
        try await report(continuing: [third.id: first.stay])
        #expect(rung == [second.id])
        #expect(try await outbox.alarms().count == 1)
    }

    @Test("a response that comes late does not ring again")
    mutating func late() async throws {
        let first = visit()
        var (second, third) = (visit(), visit())
        // The registry does not know yet that the second visit goes on with the first.
        try await outbox.record([second])
        try await report()
        second.count += 1
        try await outbox.record([second, first])
        try await report(continuing: [second.id: first.stay])
        try await outbox.record([third])
        try await report(continuing: [third.id: first.stay])
        #expect(rung == [second.id])
        third.ended = true
        try await outbox.record([third])
        try await report(continuing: [third.id: first.stay])
        #expect(try await outbox.alarms().map(\.isPresent) == [true])
    }

    @Test("a new stay rings again")
    mutating func returned() async throws {
        var first = visit()
        try await outbox.record([first])
        try await report()
        first.ended = true
        try await outbox.record([first])
        try await report()
        let second = visit()
        try await outbox.record([second])
        try await report()
        #expect(rung == [first.id, second.id])
    }
}
