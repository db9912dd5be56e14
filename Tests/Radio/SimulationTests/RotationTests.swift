import Beacons
import TestSupport
import Testing

@testable import RegistryRules
@testable import Simulation

@Suite("Rotating beacons in scenarios")
struct RotationTests {
    private static let key = "9c6ab24a1f7d4c3c8b0e5d2f61738495"

    private func scenario(_ rotating: String, duration: String = "45m") throws -> Scenario {
        try Scenario(
            yaml: """
                name: n
                duration: \(duration)
                environment: {packetLoss: 0, shadowingSigma: 0}
                beacons:
                  - name: b
                    missing: true
                    rotating: {key: "\(Self.key)"\(rotating)}
                    position: {x: 1, y: 1}
                """, source: "text")
    }

    @Test("a frame has the identity and the address of one slot, and the slots follow one another")
    func slots() async throws {
        let key = try #require(RotatingBeaconKey(hexadecimal: Self.key))
        let scenario = try scenario("")
        let slots = try #require(scenario.beacons[0].rotation?.slots(until: scenario.duration))
        var heard: [RotatingSlot] = []
        for frame in try await scenario.heard() {
            let slot = try #require(slots.first { key.identity(at: $0) == frame.beacon?.identity })
            #expect(frame.address == key.address(at: slot) && frame.data == key.frame(at: slot).advertisingData)
            if heard.last != slot { heard.append(slot) }
        }
        #expect(heard == Array(slots) && heard.count == 3)
    }

    @Test("a battery's change is silence, then the next slot")
    func batteries() async throws {
        let rotation = try #require(
            scenario(", batteries: [{at: 10m, without: 1h}]", duration: "3h").beacons[0].rotation)
        let minute: Int64 = 60_000_000_000
        let before = try #require(rotation.slot(at: 9 * minute))
        #expect(rotation.slot(at: 10 * minute) == nil && rotation.slot(at: 69 * minute) == nil)
        #expect(rotation.slot(at: 70 * minute) == before.advanced(by: 1))
        #expect(rotation.slot(at: 70 * minute + 1024_000_000_000) == before.advanced(by: 2))
    }

    @Test("a replay repeats one frame, a relay sends what the beacon sends")
    func imitations() async throws {
        let replay = try #require(scenario(", recorded: 30s").beacons[0].rotation)
        let relay = try #require(scenario("").beacons[0].rotation)
        #expect(replay.slot(at: 2_700_000_000_000) == relay.slot(at: 0))
        #expect(relay.slot(at: 2_700_000_000_000) != relay.slot(at: 0))
    }

    @Test("a dated scenario has the identities of its date, with one name for all of them")
    func dates() throws {
        let key = try #require(RotatingBeaconKey(hexadecimal: Self.key))
        let scenario = try scenario(", lag: 1h").dated(1_795_255_200)
        let name = key.identity(at: try #require(RotatingSlot(unixSeconds: 1_795_255_200)))
        #expect(scenario.truth.map(\.identity) == [name])
        let late = key.identity(at: try #require(RotatingSlot(unixSeconds: 1_795_251_600)))
        #expect(scenario.rotatingIdentities[late] == name)
    }

    @Test("the shipped scenario is played; its bike is heard in four slots, twice by itself")
    func shipped() async throws {
        let scenario = try Scenario.shipped("rotating-beacon")
        let names = scenario.rotatingIdentities
        let heard = Set(try await scenario.heard().compactMap { $0.beacon?.identity }).filter { names[$0] != nil }
        #expect(Set(names.values) == [scenario.beacons[0].identity])
        #expect(heard.count == 4)
    }

    @Test(
        "mistakes are refused",
        arguments: [
            ("key: 12", "32 hexadecimal digits"), ("key: \"\(key)\", drift: 600", "-500 to 500"),
            ("key: \"\(key)\", batteries: [{at: 9m, without: 2m}, {at: 10m, without: 1s}]", "later than the end"),
        ])
    func mistakes(rotating: String, problem: String) throws {
        let yaml = "name: n\nduration: 1h\nbeacons: [{name: b, rotating: {\(rotating)}, position: {x: 1, y: 1}}]"
        let error = try #require(throws: ScenarioError.self) { try Scenario(yaml: yaml, source: "text") }
        #expect(error.problem.contains(problem), "\(error)")
    }
}

/// How often owners are slow to change a battery is an assumption, here and in the profile; so the shares are compared for
/// the windows that the registry lists, and not for the lag that proves a sighting.
@Suite("A rotating beacon's clock over the years")
struct DriftTests {
    /// The limit of the clocks' error in parts per million, the years since the last check, and the share in percent
    /// whose slot is from 84 or from 590 before the present to 8 after it: the table of the profile.
    static let table: [(drift: Double, years: Double, day: Double, week: Double)] = [
        (40, 0.25, 99, 99.7), (100, 0.25, 99, 99.7), (40, 1, 96, 98.8), (100, 1, 96, 98.8), (40, 2, 92, 97.6),
        (100, 2, 92, 97.4),
    ]

    @Test("shares inside the windows are those of the profile's table", arguments: table)
    func shares(drift: Double, years: Double, day: Double, week: Double) throws {
        var generator = SeededGenerator(seed: 18)
        func uniform() -> Double { Double.random(in: 0..<1, using: &generator) }
        let key = RotatingBeaconKey.random(using: &generator)
        let count = 20_000
        var inside = [0, 0]
        for _ in 0..<count {
            let error = (2 * uniform() - 1) * drift
            let start = 1_795_255_200 + Int64(uniform() * 1024)
            let seconds = years * 365.25 * 86_400
            // One change of the battery in two years, at any time.
            let change = uniform() * 2 * 365.25 * 86_400
            let batteries =
                change < seconds
                ? [
                    Scenario.Rotation.Battery(
                        at: .seconds(change), without: .seconds(Self.outage(uniform(), uniform())))
                ]
                : []
            let rotation = Scenario.Rotation(
                key: key, lag: .zero, drift: error, batteries: batteries, recorded: nil,
                start: start)
            // Without power it is not heard; asked again later.
            let slot = try #require(rotation.slots(until: .seconds(seconds))?.upperBound)
            let present = try #require(RotatingSlot(unixSeconds: start + Int64(seconds)))
            let lag = slot.distance(to: present)
            for (index, window) in [
                -8...RotationRules.slotsBehind, -8...RotationRules.manySlotsBehind,
            ].enumerated() where window.contains(Int64(lag)) {
                inside[index] += 1
            }
        }
        for (found, expected) in zip(inside, [day, week]) {
            #expect(abs(Double(found) / Double(count) * 100 - expected) < 1.5, "\(inside)")
        }
    }

    /// How long a beacon is without power in seconds: most owners have the new battery in the hand, some buy one first,
    /// and a few notice it after weeks.
    private static func outage(_ kind: Double, _ length: Double) -> Double {
        let day = 86_400.0
        return switch kind {
        case ..<0.84: 60 + length * 540
        case ..<0.92: 1800 + length * (day - 1800)
        case ..<0.976: day + length * 6 * day
        default: 7 * day + length * 60 * day
        }
    }
}
