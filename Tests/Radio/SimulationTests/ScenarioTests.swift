import Beacons
import Simulation
import Testing

@Suite("A scenario file")
struct ScenarioTests {
    static let beacon = """
        name: n
        duration: 1m
        beacons:
          - name: b
            identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:1:2
            measuredPower: -59
            interval: 1s

        """

    @Test("needs only a name and a duration; everything else has documented defaults")
    func defaults() throws {
        let scenario = try Scenario(yaml: "name: quiet\nduration: 90s\n", source: "text")
        #expect(scenario.name == "quiet" && scenario.duration == .seconds(90) && scenario.seed == 1)
        #expect(scenario.start == Scenario.defaultStart && scenario.end == scenario.start.advanced(by: .seconds(90)))
        #expect(scenario.beacons.isEmpty && scenario.ambient == nil && scenario.description.isEmpty)
        #expect(scenario.environment.pathLossExponent == 2.4 && scenario.environment.sensitivity == -95)
    }

    @Test("passes each value to the simulation as written")
    func values() throws {
        let scenario = try Scenario.shipped("bike-passes-cafe")
        let bike = try #require(scenario.beacons.first)
        #expect(bike.identity == BeaconIdentity("7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"))
        #expect(bike.interval == .milliseconds(500) && bike.jitter == .milliseconds(10) && bike.isMissing)
        #expect(bike.addressRotation == .seconds(900) && bike.measuredPower == -59)
        #expect(bike.trajectory.metres(at: .seconds(50)) == (61.0).squareRoot())
        #expect(bike.trajectory.metres(at: .seconds(14)) == nil && bike.trajectory.metres(at: .seconds(96)) == nil)
        #expect(scenario.beacons.count == 2 && !scenario.beacons[1].isMissing)
        #expect(scenario.ambient?.rate == 60 && scenario.ambient?.devices == 80)
    }

    @Test(
        "a beacon stays where its file says",
        arguments: [
            ("    position: { x: 3, y: 4 }", 0.0, 5.0 as Double?),
            ("    position: { x: 3, y: 4 }", 60, 5),
            ("    path: [{ at: 10s, x: 3, y: 4 }]\n    stays: true", 9, nil),
            ("    path: [{ at: 10s, x: 3, y: 4 }]\n    stays: true", 60, 5),
            ("    path: [{ at: 10s, x: 0, y: 0 }, { at: 20s, x: 10, y: 0 }]", 13, 3),
            ("    path: [{ at: 10s, x: 0, y: 0 }, { at: 20s, x: 10, y: 0 }]", 21, nil),
        ])
    func trajectory(place: String, seconds: Double, metres: Double?) throws {
        let scenario = try Scenario(yaml: Self.beacon + place, source: "text")
        #expect(scenario.beacons.first?.trajectory.metres(at: .seconds(seconds)) == metres)
    }

    /// Invalid scenarios, each with the line and key of the error and part of the message.
    static let refused: [(yaml: String, line: Int?, key: String?, problem: String)] = [
        ("", nil, nil, "empty"),
        ("- a", 1, nil, "keys with values"),
        ("name: n", 1, nil, "‘duration’ is missing"),
        ("name: n\nduration: 1m\ncolour: red", 3, "colour", "unknown key"),
        ("name: n\nduration: 1m\n<<: {a: b}", 3, "<<", "unknown key"),
        ("name: n\nduration: 90", 2, "duration", "as in 350ms"),
        ("name: n\nduration: 32d", 2, "duration", "to 31d"),
        ("name: n\nduration: 99999999999999999999s", 2, "duration", "to 31d"),
        ("name: n\nduration: [1m]", 2, "duration", "single value"),
        ("name:\nduration: 1m", 1, "name", "single value"),
        ("name: n\nname: m\nduration: 1m", 1, nil, "given twice"),
        ("name: n\nduration: 1m\nseed: -1", 3, "seed", "whole number from 0"),
        ("name: n\nduration: 1m\nstart: 2026-01-01", 3, "start", "whole number"),
        ("name: n\nduration: 1m\nenvironment:\n  packetLoss: 2", 4, "environment.packetLoss", "from 0 to 1"),
        ("name: n\nduration: 1m\nenvironment:\n  packetLoss: nan", 4, "environment.packetLoss", "from 0 to 1"),
        ("name: n\nduration: 1m\nenvironment:\n  sensitivity: -0x50", 4, "environment.sensitivity", "dBm"),
        ("name: n\nduration: 1m\nambient:\n  rate: 5", 4, "ambient", "‘devices’ is missing"),
        ("name: n\nduration: 1m\nambient:\n  rate: 1e9\n  devices: 5", 4, "ambient.rate", "to 10000"),
        ("name: n\nduration: 1m\nbeacons: []", 3, "beacons", "list of 1 to 1000"),
        (beacon, 4, "beacons[0]", "either ‘position’"),
        (beacon + "    position: {x: 1}", 8, "beacons[0].position", "‘y’ is missing"),
        (beacon + "    position: {x: 1, y: 1}\n    stays: true", 4, "beacons[0]", "‘stays’ belongs to a path"),
        (beacon + "    path: [{at: 1s, x: 1, y: 1}]", 8, "beacons[0].path", "only an instant"),
        (
            beacon + "    path:\n    - {at: 2s, x: 1, y: 1}\n    - {at: 2s, x: 1, y: 1}", 10, "beacons[0].path[1]",
            "later than"
        ),
        (beacon + "    path: [{at: 2m, x: 1, y: 1}]", 8, "beacons[0].path[0].at", "to 1m"),
        (beacon + "    position: {x: 1e400, y: 1}", 8, "beacons[0].position.x", "100000 m"),
        (beacon + "    missing: yes\n    position: {x: 1, y: 1}", 8, "beacons[0].missing", "true or false"),
        (
            beacon.replacing("1:2", with: "1:70000") + "    position: {x: 1, y: 1}", 5, "beacons[0].identity",
            "UUID:major:minor"
        ),
        (beacon.replacing("-59", with: "-200"), 6, "beacons[0].measuredPower", "from -127 to 20"),
        (beacon.replacing("1s", with: "1ms"), 7, "beacons[0].interval", "from 20ms"),
        ("name: n\nduration: 1m\nbeacons:\n  - {name: b", 5, nil, "not YAML"),
        ("name: \"\u{1}\"", nil, nil, "not YAML"),
        ("name: n\n---\nname: m", 2, nil, "not YAML"),
        ("name: *nobody", 1, nil, "not YAML"),
    ]

    @Test("is refused if it is wrong, with the line, the key and what to do", arguments: refused)
    func refusal(yaml: String, line: Int?, key: String?, problem: String) throws {
        let error = try #require(throws: ScenarioError.self) { try Scenario(yaml: yaml, source: "s.yaml") }
        #expect(error.problem.contains(problem), "\(error)")
        #expect(error.line == line, "\(error)")
        #expect(error.key == key, "\(error)")
        #expect(!error.description.contains("\n"))
        #expect(error.description.hasPrefix(line.map { "s.yaml:\($0): " } ?? "s.yaml: "))
    }

    @Test("two beacons with one name are refused, since the name determines their randomness")
    func twins() throws {
        let entry =
            "  - {name: b, identity: '7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:1:2', measuredPower: -59, "
            + "interval: 1s, position: {x: 1, y: 1}}\n"
        let error = try #require(throws: ScenarioError.self) {
            try Scenario(yaml: "name: n\nduration: 1m\nbeacons:\n" + entry + entry, source: "s")
        }
        #expect(error.key == "beacons[1]" && error.problem.contains("used twice"))
    }

    @Test("with deep nesting or any damage is refused or read, and never crashes the program")
    func damage() throws {
        for depth in [500, 5000] {
            let text = "name: " + String(repeating: "[", count: depth)
            #expect(throws: ScenarioError.self) { try Scenario(yaml: text, source: "s") }
        }
        let original = Array((Self.beacon + "    path: [{at: 1s, x: 1, y: 1}, {at: 2s, x: 1e1, y: 2}]").utf8)
        var state: UInt64 = 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<3000 {
            var bytes = original
            for _ in 0...random(3) {
                switch random(3) {
                case 0: bytes[random(bytes.count)] = UInt8(random(128))
                case 1: bytes.remove(at: random(bytes.count))
                default: bytes.insert(contentsOf: bytes[random(bytes.count)...].prefix(9), at: random(bytes.count))
                }
            }
            _ = try? Scenario(yaml: String(decoding: bytes, as: UTF8.self), source: "s")
        }
    }
}
