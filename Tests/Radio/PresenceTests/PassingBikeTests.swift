import Beacons
import Foundation
import Presence
import Scanning
import Simulation
import TestSupport
import Testing

/// The share of passing bikes that a station reports: the numbers of docs/guide/beacons.md.
@Suite("A hundred bikes that roll past at 10 m/s, six metres away")
struct PassingBikeTests {
    private static let passes = 100

    private func scenario(interval: String) throws -> Scenario {
        try Scenario(
            yaml: """
                name: passes
                seed: 12
                duration: 140s
                beacons:
                  - name: bike
                    identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:1000
                    measuredPower: -59
                    interval: \(interval)
                    missing: true
                    path:
                      - { at: 0s, x: -200, y: 6 }
                      - { at: 40s, x: 200, y: 6 }
                    copies: { count: \(Self.passes), later: 1s }
                """, source: "passes")
    }

    private func reported(_ scenario: Scenario, enterFrames: Int) async throws -> Int {
        var tracker = PresenceTracker(configuration: try PresenceConfiguration(enterFrames: enterFrames))
        var reported: Set<BeaconIdentity> = []
        for try await batch in SimulatedScanner(scenario, pacing: .asFastAsPossible).batches() {
            batch.forEach { report, data in
                guard let beacon = IBeacon(advertisingData: data) else { return }
                let events = tracker.observe(beacon, rssi: report.rssi, at: report.time)
                reported.formUnion(events.map(\.visit.identity))
            }
        }
        return reported.count
    }

    @Test(
        "are reported as often as the guide says",
        arguments: ["100ms", "350ms", "1s", "2s", "5s", "10s"])
    func guide(interval: String) async throws {
        let scenario = try scenario(interval: interval)
        let heard = scenario.truth.count { !$0.heard.isEmpty }
        let (one, two) = (
            try await reported(scenario, enterFrames: 1), try await reported(scenario, enterFrames: 2)
        )
        #expect(one == heard)
        let guide = try String(contentsOfFile: Repository.path("docs/guide/beacons.md"), encoding: .utf8)
        let name = interval.replacing("ms", with: " ms").replacing(/(\d)s$/) { "\($0.output.1) s" }
        let row = "| \(name) | \(heard) % | \(one) % | \(two) % |"
        #expect(guide.contains(row), "docs/guide/beacons.md must say: \(row)")
    }
}
