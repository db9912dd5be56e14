import Beacons
import Testing

@testable import Simulation

@Suite("Copies of a beacon in a scenario")
struct CopiesTests {
    private func scenario(_ copies: String, path: String = "position: { x: 3, y: 4 }") throws -> Scenario {
        try Scenario(
            yaml: """
                name: copies
                duration: 10m
                beacons:
                  - name: rider
                    identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:1:65530
                    measuredPower: -59
                    interval: 500ms
                    \(path)
                    copies: \(copies)
                """,
            source: "copies.yaml"
        )
    }

    @Test("names and minors count up, and each copy is further east")
    func standing() throws {
        let beacons = try scenario("{ count: 3, east: 2 }").beacons
        #expect(beacons.map(\.name) == ["rider 1", "rider 2", "rider 3"])
        #expect(beacons.map(\.identity.minor) == [65530, 65531, 65532])
        #expect(beacons.map { $0.trajectory.waypoints[0].x } == [3, 5, 7])
    }

    @Test("each copy follows later on the same path")
    func moving() throws {
        let path = "path: [{ at: 0s, x: -10, y: 0 }, { at: 20s, x: 10, y: 0 }]"
        let beacons = try scenario("{ count: 2, later: 5s }", path: path).beacons
        #expect(
            beacons.map { $0.trajectory.waypoints.map(\.at) } == [[.zero, .seconds(20)], [.seconds(5), .seconds(25)]])
        #expect(beacons[1].trajectory.metres(at: .seconds(15)) == 0)
    }

    @Test("copies without a minor, and more beacons than a scenario may have, are refused", arguments: [7, 1000])
    func refused(count: Int) {
        #expect(throws: ScenarioError.self) { try scenario("{ count: \(count) }") }
    }

    @Test("every shipped scenario can be played", arguments: ["rally", "hostile-spoofer"])
    func shipped(name: String) throws {
        #expect(try Scenario.shipped(name).beacons.count > 40)
    }
}
