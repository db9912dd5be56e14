import Beacons
import TestSupport
import Testing

@testable import Presence

@Suite("A visit")
struct EnterAndLoseTests {
    @Test("is entered on its first frame")
    func oneFrame() throws {
        var tracker = PresenceTracker()
        let events = tracker.hear([5])
        #expect(summary(events) == ["entered@5"])
        let visit = try #require(events.first?.visit)
        #expect(visit.first == .at(5) && visit.last == .at(5) && visit.frames == 1 && visit.rssi == -70 ... -70)
        // One frame may be an outlier, so there is no band yet.
        #expect(visit.nearest == .unknown)
        #expect(summary(tracker.hear([6]) + tracker.advance(to: .at(400))) == ["lost@186"])
    }

    @Test("has no band after single frames, however many, and a band after two within half a minute")
    func bandsNeedMore() {
        var tracker = PresenceTracker()
        _ = tracker.hear(stride(from: 0, to: 1000, by: 40))
        #expect(tracker.openVisits.map(\.nearest) == [.unknown])
        _ = tracker.hear([1001, 1002])
        #expect(tracker.openVisits.map(\.nearest) == [.near])
    }

    @Test("can be configured to need a second frame within ten seconds, and then counts the first")
    func enter() throws {
        var tracker = try PresenceTracker.pairs()
        #expect(tracker.hear([5]).isEmpty)
        #expect(tracker.candidates.count == 1 && tracker.visits.count == 0)
        let events = tracker.hear([15])
        #expect(summary(events) == ["entered@15"])
        let visit = try #require(events.first?.visit)
        #expect(visit.first == .at(5) && visit.last == .at(15) && visit.frames == 2 && visit.rssi == -70 ... -70)
        #expect(visit.number == 1 && visit.stay == 1 && visit.identity == IBeacon.bike(1).identity)
        #expect(visit.smoothedRSSI == -70 && visit.measuredPower == -59)
        #expect(visit.proximity == .near && visit.nearest == .near)
        #expect(tracker.candidates.count == 0 && tracker.visits.count == 1)
    }

    @Test("is not entered on stray frames, however many in a day")
    func stray() throws {
        var tracker = try PresenceTracker.pairs()
        let frames = stride(from: 0.0, to: 86_400, by: 10.000_001)
        #expect(tracker.hear(frames).isEmpty && tracker.visits.count == 0 && tracker.candidates.count == 1)
        #expect(tracker.advance(to: .at(90_000)).isEmpty && tracker.candidates.count == 0)
    }

    @Test(
        "needs the configured frames within the window, wherever in the run the window begins",
        arguments: [
            (1, [0.0], 0.0 as Double?), (2, [0, 11, 12], 12), (3, [0, 5, 10], 10), (3, [0, 9, 11, 12], 12),
            (3, [0, 9, 11, 18.5], 18.5), (3, [0, 9, 11, 19.5], nil), (4, [0, 1, 2, 11, 11.5, 12], 12),
            (2, [7, 7], 7),
        ])
    func window(frames: Int, times: [Double], entered: Double?) throws {
        var tracker = PresenceTracker(configuration: try PresenceConfiguration(enterFrames: frames))
        let events = tracker.hear(times)
        #expect(events.first?.time == entered.map { .at($0) })
        #expect(events.count == (entered == nil ? 0 : 1))
        if let visit = events.first?.visit, let entered {
            let run = times.filter { $0 <= entered && $0 >= entered - 10 }
            #expect(visit.frames == run.count && visit.first == .at(run[0]))
        }
    }

    @Test("is lost after exactly 180 seconds of silence, at that time and not at the time of the check")
    func lost() throws {
        var tracker = try PresenceTracker.pairs()
        #expect(summary(tracker.hear([0, 1, 50])) == ["entered@1"])
        #expect(tracker.advance(to: .at(229.999_999_999)).isEmpty)
        var late = tracker
        #expect(summary(tracker.advance(to: .at(230))) == ["lost@230"])
        let events = late.advance(to: .at(10_000))
        #expect(summary(events) == ["lost@230"])
        #expect(events.first?.visit.last == .at(50) && events.first?.visit.proximity == .unknown)
        #expect(tracker.visits.count == 0 && late.visits.count == 0)
    }

    @Test("ends before a frame that arrives at its deadline; that frame counts for the next")
    func boundary() throws {
        var kept = try PresenceTracker.pairs()
        #expect(summary(kept.hear([0, 1, 180.999_999_999, 190])) == ["entered@1"])
        var ended = try PresenceTracker.pairs()
        #expect(summary(ended.hear([0, 1, 181, 190])) == ["entered@1", "lost@181", "entered@190"])
    }

    @Test("is a single one for a bike that drops in and out of reception for hours")
    func edge() throws {
        var tracker = try PresenceTracker.pairs()
        var random = SeededGenerator(seed: UInt64(4))
        var (time, events) = (0.0, [PresenceEvent]())
        events += tracker.hear([time, time + 1])
        while time < 6 * 3600 {
            time += Double.random(in: 1..<179, using: &random)
            events += tracker.hear([time])
        }
        #expect(events.count { $0.kind == .entered } == 1 && events.allSatisfy { !$0.kind.endsVisit })
    }

    @Test("is reported every five minutes while frames arrive, with the numbers of that moment")
    func updates() throws {
        var tracker = try PresenceTracker.pairs()
        let events = tracker.hear(stride(from: 0, through: 905, by: 1)) + tracker.advance(to: .at(3600))
        #expect(summary(events) == ["entered@1", "updated@301", "updated@601", "updated@901", "lost@1085"])
        // The update precedes the frame of the same second.
        #expect(events.map(\.visit.frames) == [2, 301, 601, 901, 906])
    }

    @Test("is not reported again when nothing new has been heard")
    func noNews() throws {
        let configuration = try PresenceConfiguration(
            enterFrames: 2, lostAfter: .seconds(1000), updateEvery: .seconds(100))
        var tracker = PresenceTracker(configuration: configuration)
        let events = tracker.hear([0, 1, 50, 450]) + tracker.advance(to: .at(3000))
        #expect(summary(events) == ["entered@1", "updated@101", "updated@501", "lost@1450"])
    }

    @Test("is cut after 24 hours and continued under the same stay, without a frame lost or counted twice")
    func cut() throws {
        var tracker = try PresenceTracker.pairs()
        let times = stride(from: 0.0, through: 2 * 86_400 + 100, by: 60)
        let all = tracker.hear([0]) + tracker.hear(times.dropFirst().flatMap { [$0, $0 + 1] })
        let events = all.filter { $0.kind != .updated } + tracker.finish(at: .at(200_000))
        #expect(
            summary(events) == [
                "entered@61", "cut@86460", "continued@86460", "cut@172860", "continued@172860", "lost@173041",
            ])
        #expect(events.map(\.visit.stay).allSatisfy { $0 == 1 })
        #expect(events.map(\.visit.number) == [1, 1, 2, 2, 3, 3])
        let closed = events.filter(\.kind.endsVisit).map(\.visit)
        #expect(closed.allSatisfy { $0.first.duration(to: $0.last) <= .seconds(86_400) })
        #expect(closed.map(\.frames).reduce(0, +) == tracker.counters.frames - 1)
        #expect(events.filter { $0.kind == .continued }.allSatisfy { $0.visit.frames == 1 })
    }

    @Test("is lost, not cut, if it falls silent just before 24 hours")
    func cutNeedsFrame() throws {
        var tracker = try PresenceTracker.pairs()
        let events = tracker.hear(stride(from: 0, to: 86_390, by: 10)) + tracker.advance(to: .at(100_000))
        #expect(summary(events.filter { $0.kind != .updated }) == ["entered@10", "lost@86560"])
    }

    @Test("ends with the capture; several end in order of their numbers")
    func finish() throws {
        var tracker = try PresenceTracker.pairs()
        _ = tracker.hear([0, 1], bike: 2) + tracker.hear([2, 3], bike: 1) + tracker.hear([4], bike: 9)
        _ = tracker.hear([5], bike: 2)
        let events = tracker.finish(at: .at(20))
        #expect(summary(events) == ["finished@20", "finished@20"])
        #expect(events.map(\.visit.number) == [1, 2] && events.map(\.visit.identity.minor) == [2, 1])
        #expect(tracker.visits.count == 0 && tracker.candidates.count == 0)
        #expect(tracker.finish(at: .at(500)).isEmpty)
    }
}
