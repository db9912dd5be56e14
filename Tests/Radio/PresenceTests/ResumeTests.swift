import Beacons
import Testing

@testable import Presence

@Suite("After a restart")
struct ResumeTests {
    private func visit(
        _ number: UInt64, stay: UInt64? = nil, bike: UInt16, first: Double = 0, last: Double = 100, frames: Int = 40
    ) -> VisitSnapshot {
        VisitSnapshot(
            number: number, stay: stay ?? number, identity: IBeacon.bike(bike).identity, first: .at(first),
            last: .at(last), frames: frames, rssi: -80 ... -60, measuredPower: -59, nearest: .near
        )
    }

    @Test("a visit continues as if nothing had happened")
    func goesOn() throws {
        var tracker = PresenceTracker()
        try tracker.resume([visit(7, stay: 5, bike: 1)], at: .at(150))
        let events = tracker.hear([200, 370, 449]) + tracker.advance(to: .at(2000))
        #expect(summary(events) == ["updated@450", "lost@629"])
        #expect(events.map(\.visit.frames) == [43, 43] && tracker.visits.count == 0)
    }

    @Test("a visit keeps its numbers, its statistics continue, and new visits are numbered after it")
    func numbers() throws {
        var tracker = PresenceTracker()
        try tracker.resume([visit(7, stay: 5, bike: 1), visit(3, bike: 2)], at: .at(150))
        let entered = tracker.hear([151, 152], bike: 3)
        #expect(entered.map(\.visit.number) == [8])
        _ = tracker.hear([160], bike: 1)
        let events = tracker.advance(to: .at(170 + 180))
        #expect(summary(events) == ["lost@280", "lost@332", "lost@340"])
        let resumed = try #require(events.last?.visit)
        #expect(resumed.number == 7 && resumed.stay == 5 && resumed.first == .at(0) && resumed.frames == 41)
        #expect(resumed.rssi == -80 ... -60 && resumed.nearest == .near)
    }

    @Test("too long a silence in between ends the visit at its actual deadline")
    func stale() throws {
        var tracker = PresenceTracker()
        try tracker.resume([visit(1, bike: 1), visit(2, bike: 2, last: 50)], at: .at(1000))
        #expect(summary(tracker.advance(to: .at(1000))) == ["lost@230", "lost@280"])
    }

    @Test("a visit from a clock that was ahead counts as heard now")
    func future() throws {
        var tracker = PresenceTracker()
        try tracker.resume([visit(1, bike: 1, first: 500, last: 900)], at: .at(100))
        let events = tracker.advance(to: .at(1000))
        #expect(summary(events) == ["lost@280"] && events[0].visit.first == .at(100))
    }

    @Test("a visit that has lasted a day is cut by the next frame")
    func long() throws {
        var tracker = PresenceTracker()
        try tracker.resume([visit(4, bike: 1, first: -86_400)], at: .at(150))
        #expect(summary(tracker.hear([151])) == ["cut@151", "continued@151"])
    }

    @Test("contradictions are refused, and the tracker stays unchanged")
    func refusals() throws {
        let wrong: [([VisitSnapshot], String)] = [
            ([visit(0, bike: 1)], "count from 1"),
            ([visit(.max, bike: 1)], "count from 1"),
            ([visit(2, stay: 3, bike: 1)], "count from 1"),
            ([visit(1, bike: 1, first: 101)], "before it begins"),
            ([visit(1, bike: 1, frames: 0)], "1 to 2^53"),
            ([visit(1, bike: 1, frames: .max)], "1 to 2^53"),
            ([visit(1, bike: 1), visit(1, bike: 2)], "given twice"),
            ([visit(1, bike: 1), visit(2, bike: 1)], "given twice"),
            ([visit(1, bike: 1), visit(2, bike: 2), visit(3, bike: 3)], "raise visitCapacity"),
        ]
        for (visits, reason) in wrong {
            var tracker = PresenceTracker(configuration: try PresenceConfiguration(visitCapacity: 2))
            let error = try #require(throws: PresenceError.self) { try tracker.resume(visits, at: .at(150)) }
            #expect(error.description.contains(reason))
            #expect(tracker.visits.count == 0 && tracker.hear([0, 1]).map(\.visit.number) == [1])
            #expect(throws: PresenceError.alreadyStarted) { try tracker.resume([], at: .at(150)) }
        }
    }
}
