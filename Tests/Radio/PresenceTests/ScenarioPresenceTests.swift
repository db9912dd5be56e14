import Beacons
import Presence
import Scanning
import Simulation
import Testing

@Suite("Presence of a simulated bike")
struct ScenarioPresenceTests {
    /// All events of the scenario's missing beacons, and the end time.
    private func events(_ scenario: Scenario) async throws -> [PresenceEvent] {
        let missing = Set(scenario.beacons.filter(\.isMissing).map(\.identity))
        var tracker = PresenceTracker()
        var events: [PresenceEvent] = []
        for try await batch in SimulatedScanner(scenario, pacing: .asFastAsPossible).batches() {
            batch.forEach { report, data in
                guard let beacon = IBeacon(advertisingData: data), missing.contains(beacon.identity) else { return }
                events += tracker.observe(beacon, rssi: report.rssi, at: report.time)
            }
            events += tracker.advance(to: batch.time)
        }
        return events + tracker.finish(at: scenario.end)
    }

    private func missing(_ scenario: Scenario) throws -> ClosedRange<ScanInstant> {
        let truth = try #require(scenario.truth.first { $0.isMissing })
        #expect(truth.inRange.count == 1)
        return try #require(truth.inRange.first)
    }

    @Test("a bike that passes a café is one visit at about the time when it was in range")
    func cafe() async throws {
        let scenario = try Scenario.shipped("bike-passes-cafe")
        let truth = try missing(scenario)
        let events = try await events(scenario)
        #expect(events.map(\.kind) == [.entered, .finished])
        let visit = try #require(events.last?.visit)
        // Two deviations of the shadowing, 8 dB, double the range of 31 m: six seconds more at 5 m/s.
        #expect(abs(truth.lowerBound.duration(to: visit.first).seconds) < 8)
        #expect(abs(truth.upperBound.duration(to: visit.last).seconds) < 8)
        #expect(visit.nearest == .near || visit.nearest == .far)
        #expect(visit.frames > 30)
    }

    @Test("a bike that parks for ten hours is one visit, updated every five minutes, lost three minutes after it left")
    func overnight() async throws {
        let scenario = try Scenario.shipped("parked-overnight")
        let truth = try missing(scenario)
        let events = try await events(scenario)
        let kinds = events.map(\.kind)
        #expect(kinds.first == .entered && kinds.last == .lost)
        #expect(kinds.count { $0 == .updated } == 120 && kinds.count == 122)
        let (entered, lost) = try (#require(events.first), #require(events.last))
        #expect(abs(truth.lowerBound.duration(to: entered.time).seconds) < 10)
        #expect(abs(truth.upperBound.duration(to: lost.visit.last).seconds) < 10)
        #expect(lost.visit.last.duration(to: lost.time) == .seconds(180))
        #expect((20_000...25_000).contains(lost.visit.frames))
        #expect(scenario.start.duration(to: lost.visit.first) < .seconds(1830))
    }
}
