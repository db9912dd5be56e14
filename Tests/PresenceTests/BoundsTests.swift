import Beacons
import Presence
import TestSupport
import Testing

@Suite("Whatever is on the air")
struct BoundsTests {
    @Test("memory stays bounded: hundreds of thousands of spoofed identities, once or twice each", arguments: [1, 2])
    func flood(frames: Int) throws {
        let configuration = try PresenceConfiguration(candidateCapacity: 500, visitCapacity: 100)
        var tracker = PresenceTracker(configuration: configuration)
        var random = SeededGenerator(seed: UInt64(frames))
        var events = 0
        for number in 0..<(200_000 / frames) {
            let beacon = IBeacon.stranger(random.next())
            for _ in 0..<frames {
                events += tracker.observe(beacon, rssi: -80, at: .at(Double(number) / 10_000)).count
            }
            #expect(tracker.candidateCount <= 500 && tracker.visitCount <= 100)
        }
        #expect(tracker.counters.frames == 200_000)
        #expect(events == (frames == 1 ? 0 : 100))
        #expect(tracker.counters.evictedCandidates == (frames == 1 ? 199_500 : 0))
        #expect(tracker.counters.refusedVisits == (frames == 1 ? 0 : 99_900))
    }

    @Test("a real bike still enters between 20,000 spoofed ones, at the default capacity and 2,000 frames a second")
    func bikeAmongSpoofs() {
        var tracker = PresenceTracker()
        var events: [PresenceEvent] = []
        for number in 0..<40_000 as Range<UInt64> {
            let time = Double(number) / 2000
            events += tracker.observe(.stranger(number), rssi: -80, at: .at(time))
            if number == 1 || number == 19_000 { events += tracker.hear([time]) }
        }
        #expect(events.map(\.visit.identity) == [IBeacon.bike(1).identity])
        #expect(tracker.candidateCount == 20_000)
    }

    @Test("the candidate heard longest ago goes first")
    func eviction() throws {
        var tracker = PresenceTracker(
            configuration: try PresenceConfiguration(enterFrames: 3, candidateCapacity: 2))
        _ = tracker.hear([0], bike: 1) + tracker.hear([1], bike: 2) + tracker.hear([2], bike: 1)
        _ = tracker.hear([3], bike: 3)
        #expect(tracker.counters.evictedCandidates == 1)
        #expect(summary(tracker.hear([4], bike: 1)) == ["entered@4"])
        #expect(tracker.hear([5, 6], bike: 2).isEmpty)
    }

    @Test("a full table refuses a visit, counts it, and takes it once there is room")
    func full() throws {
        var tracker = PresenceTracker(configuration: try PresenceConfiguration(visitCapacity: 1))
        #expect(summary(tracker.hear([0, 1], bike: 1)) == ["entered@1"])
        #expect(tracker.hear([2, 3], bike: 2).isEmpty && tracker.counters.refusedVisits == 1)
        #expect(tracker.hear([4], bike: 1).isEmpty && tracker.visitCount == 1)
        let events = tracker.hear([190, 191], bike: 2)
        #expect(summary(events) == ["lost@184", "entered@191"])
        #expect(events.last?.visit.number == 2)
    }

    @Test("time that runs back stands still and loses nothing")
    func backwards() throws {
        var tracker = PresenceTracker()
        #expect(summary(tracker.hear([100, 50])) == ["entered@100"])
        #expect(tracker.advance(to: .at(-1e9)).isEmpty)
        #expect(tracker.hear([20]).isEmpty && tracker.counters.backwardFrames == 2)
        let events = tracker.advance(to: .at(280))
        #expect(summary(events) == ["lost@280"])
        #expect(events.first?.visit.frames == 3 && events.first?.visit.last == .at(100))
    }

    @Test("the ends of time do not stop the program")
    func endsOfTime() {
        let (minimum, maximum) = (ScanInstant(nanoseconds: .min), ScanInstant(nanoseconds: .max))
        var tracker = PresenceTracker()
        for instant in [minimum, minimum, maximum, maximum, maximum, minimum] {
            _ = tracker.observe(.bike(1), rssi: .min, at: instant)
            _ = tracker.observe(.bike(2, power: .min), rssi: .max, at: instant)
        }
        _ = tracker.advance(to: maximum) + tracker.finish(at: maximum)
        #expect(tracker.counters.frames == 12)
    }

    @Test("a fake whose power changes in every frame is one visit, with the last power")
    func changingPower() {
        var tracker = PresenceTracker()
        var events: [PresenceEvent] = []
        for second in 0..<100 {
            let power = Int8(truncatingIfNeeded: second * 37)
            events += tracker.observe(.bike(1, power: power), rssi: -70, at: .at(Double(second)))
        }
        events += tracker.advance(to: .at(1000))
        #expect(summary(events) == ["entered@1", "lost@279"])
        #expect(events.last?.visit.measuredPower == Int8(truncatingIfNeeded: 99 * 37))
    }

    @Test("frames without a signal strength make a visit without one")
    func noSignal() {
        var tracker = PresenceTracker()
        let events = [0.0, 1].flatMap { tracker.observe(.bike(1), rssi: nil, at: .at($0)) }
        #expect(events.map(\.visit.frames) == [2] && events[0].visit.rssi == nil && events[0].visit.smoothedRSSI == nil)
        #expect(events[0].visit.proximity == .unknown && events[0].visit.nearest == .unknown)
    }

    @Test("settings out of bounds are refused by name")
    func settings() throws {
        let wrong: [(String, () throws -> Void)] = [
            ("enterFrames", { _ = try PresenceConfiguration(enterFrames: 0) }),
            ("enterFrames", { _ = try PresenceConfiguration(enterFrames: 17) }),
            ("enterWithin", { _ = try PresenceConfiguration(enterWithin: .zero) }),
            ("lostAfter", { _ = try PresenceConfiguration(lostAfter: .seconds(9)) }),
            ("lostAfter", { _ = try PresenceConfiguration(lostAfter: .seconds(Int64.max)) }),
            ("updateEvery", { _ = try PresenceConfiguration(updateEvery: .milliseconds(10)) }),
            ("longestVisit", { _ = try PresenceConfiguration(longestVisit: .seconds(60)) }),
            ("candidateCapacity", { _ = try PresenceConfiguration(candidateCapacity: 0) }),
            ("visitCapacity", { _ = try PresenceConfiguration(visitCapacity: .max) }),
            ("timeConstant", { _ = try Ranging(timeConstant: .seconds(-1)) }),
            ("margin", { _ = try Ranging(margin: .nan) }),
            ("silentAfter", { _ = try Ranging(silentAfter: .zero) }),
        ]
        for (setting, make) in wrong {
            let error = try #require(throws: PresenceError.self) { try make() }
            #expect(error.description.hasPrefix("\(setting) is out of range: it must be "))
        }
        #expect(try PresenceConfiguration() == .standard && Ranging() == .standard)
    }
}
