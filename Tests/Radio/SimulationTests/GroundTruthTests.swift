import Beacons
import Scanning
import Simulation
import TestSupport
import Testing

@Suite("The ground truth of a scenario")
struct GroundTruthTests {
    /// In range up to 10 m: −59 dBm at 1 m, exponent 2, sensitivity −79 dBm.
    private func intervals(_ place: String) throws -> [ClosedRange<Double>] {
        let yaml = """
            name: n
            duration: 100s
            environment: {pathLossExponent: 2, sensitivity: -79}
            beacons:
              - name: b
                identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:1:2
                measuredPower: -59
                interval: 1s
                missing: true
            \(place)
            """
        let scenario = try Scenario(yaml: yaml, source: "text")
        let truth = try #require(scenario.truth.first)
        #expect(truth.isMissing && truth.name == "b" && truth.identity == scenario.beacons[0].identity)
        return truth.inRange.map {
            scenario.start.duration(to: $0.lowerBound).seconds...scenario.start.duration(to: $0.upperBound).seconds
        }
    }

    /// The truth that a report is compared with must match the station's frames exactly.
    @Test("gives the times at which the scanner delivers frames", arguments: ["bike-passes-cafe", "rally"])
    func heard(name: String) async throws {
        let scenario = try Scenario(path: Repository.path("config/scenarios/\(name).yaml"))
        var frames: [BeaconIdentity: [ScanInstant]] = [:]
        for try await batch in SimulatedScanner(scenario, pacing: .asFastAsPossible).batches() {
            batch.forEach { report, data in
                guard let beacon = IBeacon(advertisingData: data) else { return }
                frames[beacon.identity, default: []].append(report.time)
            }
        }
        for truth in scenario.truth {
            let times = frames[truth.identity] ?? []
            #expect(truth.heard.first?.lowerBound == times.first && truth.heard.last?.upperBound == times.last)
            #expect(times.allSatisfy { time in truth.heard.contains { $0.contains(time) } })
        }
    }

    @Test(
        "puts a beacon in range while its path is within the circle of reception",
        arguments: [
            ("position: {x: 6, y: 8}", [0.0...100.0]),
            ("position: {x: 6.1, y: 8}", []),
            ("path: [{at: 0s, x: -50, y: 0}, {at: 100s, x: 50, y: 0}]", [40...60]),
            ("path: [{at: 0s, x: -50, y: 6}, {at: 100s, x: 50, y: 6}]", [42...58]),
            ("path: [{at: 0s, x: -50, y: 11}, {at: 100s, x: 50, y: 11}]", []),
            ("path: [{at: 10s, x: -5, y: 0}, {at: 20s, x: 5, y: 0}]", [10...20]),
            ("path: [{at: 10s, x: -5, y: 0}, {at: 20s, x: 5, y: 0}, {at: 30s, x: 0, y: 1}]", [10...30]),
            ("path: [{at: 0s, x: 0, y: 0}, {at: 10s, x: 20, y: 0}, {at: 20s, x: 0, y: 0}]", [0...5, 15...20]),
            ("path: [{at: 10s, x: 30, y: 0}, {at: 40s, x: 0, y: 0}]\n    stays: true", [30...100]),
            ("path: [{at: 10s, x: 30, y: 0}]\n    stays: true", []),
        ] as [(String, [ClosedRange<Double>])])
    func intervals(place: String, expected: [ClosedRange<Double>]) throws {
        let found = try intervals("    " + place)
        #expect(found.count == expected.count)
        for (left, right) in zip(found, expected) {
            #expect(abs(left.lowerBound - right.lowerBound) < 1e-6 && abs(left.upperBound - right.upperBound) < 1e-6)
        }
    }
}
