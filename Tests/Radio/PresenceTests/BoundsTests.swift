import Beacons
import TestSupport
import Testing

@testable import Presence

// The long ones compute for minutes in a debug build. They yield now and then, because other tests wait in real time.
@Suite("Hostile radio traffic")
struct BoundsTests {
    @Test(
        "memory stays bounded with tens of thousands of spoofed identities, each heard once or twice",
        arguments: [1, 2])
    func flood(frames: Int) async throws {
        let configuration = try PresenceConfiguration(enterFrames: 2, candidateCapacity: 500, visitCapacity: 100)
        var tracker = PresenceTracker(configuration: configuration)
        var random = SeededGenerator(seed: UInt64(frames))
        var (opened, closed) = (0, 0)
        for number in 0..<(50_000 / frames) {
            let beacon = IBeacon.stranger(random.next())
            for _ in 0..<frames {
                let events = tracker.observe(beacon, rssi: -80, at: .at(Double(number) / 10_000))
                opened += events.count(where: \.kind.opensVisit)
                closed += events.count(where: \.kind.endsVisit)
            }
            #expect(tracker.candidates.count <= 500 && tracker.visits.count <= 100)
            if number.isMultiple(of: 500) { await Task.yield() }
        }
        #expect(tracker.counters.frames == 50_000)
        #expect(opened == (frames == 1 ? 0 : 25_000))
        #expect(closed == max(0, opened - 100))
        #expect(tracker.counters.evictedCandidates == (frames == 1 ? 49_500 : 0))
        #expect(tracker.counters.displacedVisits == closed)
    }

    /// A thief who has the list replays it to blind a station.
    @Test(
        "a bike that arrives in a flood of replayed identities enters at once, and stays one visit",
        arguments: [(23, 1), (200, 1), (1000, 1), (1000, 3), (1000, 8)])
    func bikeInFlood(rate: Int, repetitions: Int) async {
        var tracker = PresenceTracker()
        var events: [PresenceEvent] = []
        var (next, sent) = (0 as UInt64, 0)
        for tick in 0..<320 {
            let time = Double(tick)
            await Task.yield()
            for part in 0..<rate {
                events += tracker.observe(.stranger(next), rssi: -20, at: .at(time + Double(part) / Double(rate + 1)))
                sent += 1
                if sent % repetitions == 0 { next += 1 }
            }
            // From the fourth minute on, weaker than all others, and heard every two seconds.
            if tick >= 200, tick % 2 == 0 {
                events += tracker.observe(.bike(1), rssi: -90, at: .at(time + 0.999))
            }
        }
        let own = events.filter { $0.visit.identity == IBeacon.bike(1).identity }
        #expect(summary(own) == ["entered@200.999"])
        #expect(tracker.visits.count <= 4096)
    }

    @Test("thousands of identities transmitted for minutes neither shut out a bike nor end its visit")
    func keptUp() async {
        var tracker = PresenceTracker()
        var events: [PresenceEvent] = []
        for tick in 0..<2600 {
            if tick.isMultiple(of: 5) { await Task.yield() }
            // 5,000 identities in turn, a thousand a second: each is heard every five seconds and counts as proven.
            for part in 0..<100 {
                let number = UInt64((tick * 100 + part) % 5000)
                events += tracker.observe(.stranger(number), rssi: -20, at: .at(Double(tick) / 10))
            }
            if tick >= 2000, tick % 10 == 0 {
                events += tracker.observe(.bike(1), rssi: -90, at: .at(Double(tick) / 10))
            }
        }
        let own = events.filter { $0.visit.identity == IBeacon.bike(1).identity }
        #expect(summary(own) == ["entered@200"])
    }

    @Test("a flood ends each visit once, so that none stays open in the registry")
    func displacedEnds() async {
        var tracker = PresenceTracker()
        var open: Set<UInt64> = []
        for number in 0..<20_000 as Range<UInt64> {
            if number.isMultiple(of: 500) { await Task.yield() }
            for event in tracker.observe(.stranger(number), rssi: -80, at: .at(Double(number) / 500)) {
                if event.kind.opensVisit { #expect(open.insert(event.visit.number).inserted) }
                if event.kind.endsVisit { #expect(open.remove(event.visit.number) != nil) }
            }
        }
        #expect(open == Set(tracker.openVisits.map(\.number)))
        #expect(tracker.counters.displacedVisits == 20_000 - 4096)
    }

    @Test("a real bike still enters between 20,000 spoofed ones, at the default capacity and 2,000 frames a second")
    func bikeAmongSpoofs() async throws {
        var tracker = try PresenceTracker.pairs()
        var events: [PresenceEvent] = []
        for number in 0..<40_000 as Range<UInt64> {
            let time = Double(number) / 2000
            if number.isMultiple(of: 500) { await Task.yield() }
            events += tracker.observe(.stranger(number), rssi: -80, at: .at(time))
            if number == 1 || number == 19_000 { events += tracker.hear([time]) }
        }
        #expect(events.map(\.visit.identity) == [IBeacon.bike(1).identity])
        #expect(tracker.candidates.count == 20_000)
    }

    @Test("the candidate heard longest ago is evicted first")
    func eviction() throws {
        var tracker = PresenceTracker(
            configuration: try PresenceConfiguration(enterFrames: 3, candidateCapacity: 2))
        _ = tracker.hear([0], bike: 1) + tracker.hear([1], bike: 2) + tracker.hear([2], bike: 1)
        _ = tracker.hear([3], bike: 3)
        #expect(tracker.counters.evictedCandidates == 1)
        #expect(summary(tracker.hear([4], bike: 1)) == ["entered@4"])
        #expect(tracker.hear([5, 6], bike: 2).isEmpty)
    }

    @Test("a full table ends the visit that has been silent longest, among those not heard for long")
    func full() throws {
        var tracker = PresenceTracker(configuration: try PresenceConfiguration(visitCapacity: 4))
        _ = tracker.hear(stride(from: 0, through: 20, by: 1), bike: 1)
        _ = tracker.hear([21], bike: 2) + tracker.hear([22], bike: 3) + tracker.hear([23], bike: 2)
        _ = tracker.hear([24], bike: 4)
        let events = tracker.hear([25], bike: 5)
        #expect(summary(events) == ["displaced@25", "entered@25"])
        #expect(events.map(\.visit.identity.minor) == [3, 5])
        #expect(tracker.counters.displacedVisits == 1 && tracker.visits.count == 4)
    }

    @Test("if all visits have been heard for long, the one that has been silent longest is evicted")
    func allProven() throws {
        var tracker = PresenceTracker(configuration: try PresenceConfiguration(visitCapacity: 2))
        for second in 0...20 { _ = tracker.hear([Double(second)], bike: 1) + tracker.hear([Double(second)], bike: 2) }
        _ = tracker.hear([21], bike: 1)
        #expect(tracker.hear([22], bike: 3).map(\.visit.identity.minor) == [2, 3])
    }

    @Test("time that goes back is held and loses nothing")
    func backwards() throws {
        var tracker = try PresenceTracker.pairs()
        #expect(summary(tracker.hear([100, 50])) == ["entered@100"])
        #expect(tracker.advance(to: .at(-1e9)).isEmpty)
        #expect(tracker.hear([20]).isEmpty && tracker.counters.backwardFrames == 2)
        let events = tracker.advance(to: .at(280))
        #expect(summary(events) == ["lost@280"])
        #expect(events.first?.visit.frames == 3 && events.first?.visit.last == .at(100))
    }

    @Test("extreme times do not stop the program")
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

    @Test("a fake whose power changes in every frame is one visit")
    func changingPower() {
        var tracker = PresenceTracker()
        var events: [PresenceEvent] = []
        for second in 0..<100 {
            let power = Int8(truncatingIfNeeded: second * 37)
            events += tracker.observe(.bike(1, power: power), rssi: -70, at: .at(Double(second)))
        }
        events += tracker.advance(to: .at(1000))
        #expect(summary(events) == ["entered@0", "lost@279"])
    }

    /// A transmitter next to the bike must not hide it.
    @Test(
        "frames with an impossible power count, and give no distance",
        arguments: [127, 59, 1, 0, -1, -128, -127] as [Int8])
    func implausible(power: Int8) throws {
        var tracker = PresenceTracker()
        var events: [PresenceEvent] = []
        for second in 0..<5 { events += tracker.observe(.bike(1, power: power), rssi: -70, at: .at(Double(second))) }
        #expect(summary(events) == ["entered@0"])
        let visit = try #require(tracker.openVisits.first)
        #expect(visit.frames == 5 && visit.measuredPower == 0 && visit.nearest == .unknown)
        // A frame with a valid power among them decides.
        _ = tracker.observe(.bike(1), rssi: -50, at: .at(5))
        #expect(tracker.openVisits.map(\.measuredPower) == [-59] && tracker.openVisits.map(\.frames) == [6])
    }

    @Test("if plausible powers disagree, the most frequent one counts", arguments: [(10, 9, -59), (9, 10, -30)])
    func disagreement(own: Int, spoofed: Int, power: Int8) {
        var tracker = PresenceTracker()
        var random = SeededGenerator(seed: 7)
        let powers = (Array(repeating: -59, count: own) + Array(repeating: -30, count: spoofed)) as [Int8]
        for (index, power) in powers.shuffled(using: &random).enumerated() {
            _ = tracker.observe(.bike(1, power: power), rssi: -70, at: .at(Double(index)))
        }
        #expect(tracker.openVisits.map(\.measuredPower) == [power])
    }

    @Test("frames without a signal strength make a visit without one")
    func noSignal() throws {
        var tracker = try PresenceTracker.pairs()
        let events = [0.0, 1].flatMap { tracker.observe(.bike(1), rssi: nil, at: .at($0)) }
        #expect(events.map(\.visit.frames) == [2] && events[0].visit.rssi == nil && events[0].visit.smoothedRSSI == nil)
        #expect(events[0].visit.proximity == .unknown && events[0].visit.nearest == .unknown)
    }

    @Test("settings out of range are refused and named")
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
