import Beacons
import Presence
import TestSupport
import Testing

@Suite("Random schedules")
struct PropertyTests {
    typealias Frame = ReferenceModel.Frame

    /// Bursts and silences of a few beacons, on a grid that makes frames meet deadlines exactly.
    private func schedule(seed: Int) -> [Frame] {
        var random = SeededGenerator(seed: UInt64(seed))
        var frames: [Frame] = []
        for minor in 1...UInt16.random(in: 1...6, using: &random) {
            var time = Double.random(in: 0..<60, using: &random).rounded()
            while time < 3600 {
                let rssi = Int8.random(in: -100 ... -40, using: &random)
                let known = Int.random(in: 0..<10, using: &random) > 0
                frames.append(Frame(time: .at(time), beacon: .bike(minor), rssi: known ? rssi : nil))
                switch Int.random(in: 0..<20, using: &random) {
                case 0: time += Double.random(in: 20..<100, using: &random).rounded()
                case 1: time += 30
                case 2: time += 10
                case 3: break
                default: time += Double.random(in: 0..<4, using: &random).rounded()
                }
            }
        }
        // Sorted by time, and by beacon if times are equal, so that the order is unique.
        return frames.sorted { ($0.time, $0.beacon.identity) < ($1.time, $1.beacon.identity) }
    }

    private func configuration(seed: Int) throws -> PresenceConfiguration {
        var random = SeededGenerator(seed: UInt64(seed ^ 0x5EED))
        return try PresenceConfiguration(
            enterFrames: Int.random(in: 1...4, using: &random), enterWithin: .seconds(10), lostAfter: .seconds(30),
            updateEvery: .seconds([7, 20, 45][seed % 3]), longestVisit: .seconds([200, 600, 86_400][seed / 3 % 3])
        )
    }

    /// Plays a schedule, and advances time `advances` times at random moments between two frames.
    private func play(
        _ frames: [Frame], _ configuration: PresenceConfiguration, advances: Int, seed: Int
    ) -> [PresenceEvent] {
        var tracker = PresenceTracker(configuration: configuration)
        var random = SeededGenerator(seed: UInt64(seed &+ advances))
        var events: [PresenceEvent] = []
        var before = 0.0
        for frame in frames {
            let moments = (0..<advances).map { _ in
                Double.random(in: before...max(before, frame.time.seconds), using: &random)
            }
            for moment in moments.sorted() { events += tracker.advance(to: .at(moment)) }
            events += tracker.observe(frame.beacon, rssi: frame.rssi, at: frame.time)
            before = frame.time.seconds
        }
        return events + tracker.finish(at: .at(4000))
    }

    @Test("the tracker agrees with a simple model", arguments: 0..<120)
    func model(seed: Int) throws {
        let (frames, configuration) = (schedule(seed: seed), try configuration(seed: seed))
        let events = play(frames, configuration, advances: 0, seed: seed)
        let times = events.map(\.time)
        #expect(times == times.sorted())
        let told = events.map { event in
            ReferenceModel.Told(
                kind: event.kind, time: event.time, identity: event.visit.identity, first: event.visit.first,
                last: event.visit.last, frames: event.visit.frames, rssi: event.visit.rssi)
        }
        let byBeacon = Dictionary(grouping: told, by: \.identity).sorted { $0.key < $1.key }.flatMap(\.value)
        let expected = ReferenceModel(configuration: configuration).events(of: frames, end: .at(4000))
        #expect(byBeacon == expected)
    }

    @Test("events do not depend on how often time is advanced", arguments: 0..<60)
    func advances(seed: Int) throws {
        let (frames, configuration) = (schedule(seed: seed), try configuration(seed: seed))
        let once = play(frames, configuration, advances: 0, seed: seed)
        #expect(play(frames, configuration, advances: 1, seed: seed) == once)
        #expect(play(frames, configuration, advances: 3, seed: seed) == once)
    }

    @Test("an hour in one step equals an hour in 3,600")
    func hour() throws {
        var whole = PresenceTracker(configuration: try PresenceConfiguration(lostAfter: .seconds(1000)))
        var stepped = whole
        var frames: [(time: Double, bike: UInt16)] = []
        for bike in 1...20 as ClosedRange<UInt16> {
            let first = Double(bike)
            for time in [first, first + 0.5, first * 7 + 50] { frames.append((time, bike)) }
        }
        for frame in frames.sorted(by: { $0.time < $1.time }) {
            #expect(whole.hear([frame.time], bike: frame.bike) == stepped.hear([frame.time], bike: frame.bike))
        }
        let events = (1...3600).flatMap { stepped.advance(to: .at(Double($0))) }
        #expect(whole.advance(to: .at(3600)) == events)
        #expect(events.count { $0.kind == .updated } == 20 && events.count { $0.kind == .lost } == 20)
    }

    @Test("every visit begins once, ends once, and keeps its numbers", arguments: 0..<60)
    func lifeOfVisits(seed: Int) throws {
        let events = play(schedule(seed: seed), try configuration(seed: seed), advances: 1, seed: seed)
        for (_, life) in Dictionary(grouping: events, by: \.visit.number) {
            let kinds = life.map(\.kind)
            #expect(kinds.first?.opensVisit == true && kinds.last?.endsVisit == true)
            #expect(kinds.dropFirst().dropLast().allSatisfy { $0 == .updated })
            #expect(Set(life.map(\.visit.identity)).count == 1 && Set(life.map(\.visit.stay)).count == 1)
            #expect(zip(life, life.dropFirst()).allSatisfy { $0.visit.frames <= $1.visit.frames })
        }
        let stays = Dictionary(grouping: events, by: \.visit.stay)
        #expect(stays.values.allSatisfy { $0.count { $0.kind == .entered } == 1 })
        #expect(stays.allSatisfy { stay, events in events[0].visit.number == stay })
    }
}
