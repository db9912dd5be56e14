import Foundation
import TestSupport
import Testing

@testable import findmybike_registry

@Suite("Scenarios against a registry", .timeLimit(.minutes(20)))
struct ScenarioRunTests {
    private struct Beacon: Decodable {
        let name: String
        let identity: String
        let missing: Bool
    }

    private struct Bike: Decodable {
        let id: String
    }

    private struct Claimed: Decodable {
        struct Identity: Decodable {
            let uuid: String
            let major, minor: UInt16
        }

        let identity: Identity
    }

    private struct Summary: Decodable {
        struct Found: Decodable {
            let name: String?
        }

        struct Network: Decodable {
            let lost, unanswered, delayed: Int
        }

        struct Told: Decodable {
            let median, longest: Double
        }

        let expected, reported: Int
        let missed, late, duplicate, `false`: [Found]
        let network: Network
        let notListed: [String]
        let faultless: Bool
        let told: Told?
    }

    private struct Heard: Decodable {
        let level: String
        let reasons: [String]
        let sameStay: Bool?
    }

    private let folder: TemporaryFolder
    /// In a process of its own, because other tests can hold up this one, and reports must not be late.
    private let registry: StartedRegistry
    private let chief: Person
    private let settings: String

    init() async throws {
        folder = try TemporaryFolder()
        let token = try await LiveRegistry.newOperator(in: folder)
        let sealing = await FindMyBikeRegistry.run([
            "key", "create-beacons", "--database", folder.file("registry.sqlite"),
            "--key-file", folder.file("beacons.key"),
        ])
        #expect(sealing.status == 0, "\(sealing.errors)")
        registry = try await StartedRegistry(
            in: folder, "limits:\n  owners: off\nbeacons:\n  keyFile: \(folder.path)/beacons.key\n")
        settings = try folder.write(
            """
            registry:
              url: \(registry.url)
            station:
              tokenFile: \(folder.path)/station-token
            state: \(folder.path)

            """, to: "monitor.yaml")
        chief = registry.person("operator")
        _ = try await chief.output("login", registry.url, input: token)
        _ = try await chief.output(
            "station", "enrol", "--name", "Café Sprocket", "--latitude", "51.50072", "--longitude", "-0.12463",
            "--accuracy", "10", "--output", folder.file("station-token"))
    }

    /// The number of bikes that one owner may have missing at a time.
    private static let openReports = 5

    /// Reports every missing bike of the scenario, as of two days ago.
    private func report(_ scenario: String) async throws {
        let since = Date(timeIntervalSinceNow: -2 * 86_400).ISO8601Format()
        let beacons = try await chief.output("simulate", scenario, "--json").split(separator: "\n").map {
            try JSONDecoder().decode(Beacon.self, from: Data($0.utf8))
        }
        for (index, beacon) in beacons.filter(\.missing).enumerated() {
            let owner = registry.person("owner-\(index / Self.openReports)")
            if index % Self.openReports == 0 { _ = try await owner.output("owner", "create") }
            let bike: Bike = try await owner.value(
                "bike", "register", "--kind", "bicycle", "--make", "Simulated", "--model", beacon.name,
                "--colour", "red", "--identity", beacon.identity)
            _ = try await chief.output("claim", "accept", bike.id, beacon.identity)
            _ = try await owner.output("bike", "missing", bike.id, "--since", since)
        }
    }

    private func play(_ scenario: String, _ more: String...) async throws -> BuiltProgram.Result {
        try await BuiltProgram("findmybike-monitor").run(["--config", settings, "--simulate", scenario] + more)
    }

    private func path(_ name: String) -> String { Repository.path("config/scenarios/\(name).yaml") }

    /// The path of the scenario; in the gate, the busy street has a tenth of its devices, because the program is not
    /// optimized.
    private func playable(_ name: String) throws -> String {
        guard name == "dense-street", !TestDepth.isFull else { return path(name) }
        var text = try String(contentsOfFile: path(name), encoding: .utf8)
        for (all, few) in [("rate: 2000\n", "rate: 200\n"), ("devices: 20000\n", "devices: 2000\n")] {
            #expect(text.contains(all))
            text = text.replacing(all, with: few)
        }
        return try folder.write(text, to: "\(name).yaml")
    }

    @Test(
        "the registry gets each stay of a missing bike once, in time, and nothing else",
        arguments: [
            "bike-passes-cafe": 1, "parked-overnight": 1, "rally": 3, "hostile-spoofer": 41, "dense-street": 3,
        ])
    func faultless(name: String, stays: Int) async throws {
        let scenario = try playable(name)
        try await report(scenario)
        let result = try await play(scenario, "--speed", "max", "--summary", "json")
        #expect(result.status == 0, "\(result.errors)")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(result.output.utf8))
        #expect(summary.faultless && summary.expected == stays && summary.reported == stays, "\(result.output)")
        #expect(summary.told == nil)
    }

    @Test("an unreliable network delays reports but neither loses nor duplicates them")
    func flaky() async throws {
        let scenario = path("flaky-network")
        try await report(scenario)
        let result = try await play(scenario, "--speed", "30", "--summary", "json")
        #expect(result.status == 0, "\(result.errors)")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(result.output.utf8))
        #expect(summary.faultless && summary.expected == 3 && summary.reported == 3, "\(result.output)")
        #expect(summary.network.lost > 0 && summary.network.unanswered > 0 && summary.network.delayed > 0)
        // The first one arrived during the network's outage of over two minutes.
        #expect(try #require(summary.told).longest > 120)
        let sightings = try await registry.person("owner-0").output("sightings", "comes while answers", "--json")
        #expect(sightings.count { $0 == "\n" } == 1, "\(sightings)")
    }

    @Test("a rotating beacon is one stay, with a new battery, a relay and a replay")
    func rotating() async throws {
        let owner = registry.person("owner")
        _ = try await owner.output("owner", "create")
        _ = try await owner.output(
            "bike", "register", "--rotating", "--key-file", folder.file("bike.key"), "--kind", "bicycle", "--make",
            "Brompton", "--model", "C", "--colour", "red")
        let since = Date(timeIntervalSinceNow: -2 * 86_400).ISO8601Format()
        _ = try await owner.output("bike", "missing", "--since", since)
        let key = try String(contentsOfFile: folder.file("bike.key"), encoding: .utf8)
        let shipped = try String(contentsOfFile: path("rotating-beacon"), encoding: .utf8)
        let scenario = try folder.write(
            shipped.replacing(/[0-9a-f]{32}/, with: key.trimmingCharacters(in: .whitespacesAndNewlines)),
            to: "rotating.yaml")
        let result = try await play(scenario, "--speed", "max", "--summary", "json")
        #expect(result.status == 0, "\(result.errors)\(result.output)")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(result.output.utf8))
        #expect(summary.faultless && summary.expected == 1 && summary.reported >= 4, "\(result.output)")
        // The replay is recognised, and the relay cannot be.
        let sightings = try await owner.output("sightings", "--json").split(separator: "\n").map {
            try JSONDecoder().decode(Heard.self, from: Data($0.utf8))
        }
        #expect(sightings.count == summary.reported)
        #expect(sightings.filter { $0.reasons.contains("replayed") }.map(\.level) == ["disputed"], "\(sightings)")
        let own = sightings.filter { !$0.reasons.contains("replayed") }
        #expect(own.allSatisfy { $0.reasons == ["beaconProved"] && $0.level == "corroborated" }, "\(own)")
        // At this speed, a visit may arrive before the registry knows how long the one before has lasted.
        #expect(sightings.filter { $0.sameStay == true }.count >= 2, "\(sightings)")
    }

    @Test("a beacon that its owner has set is verified when a station hears it, and not before")
    func proved() async throws {
        let owner = registry.person("owner")
        _ = try await owner.output("owner", "create")
        let claimed: Claimed = try await owner.value(
            "bike", "register", "--kind", "bicycle", "--make", "Brompton", "--model", "C", "--colour", "red",
            "--identity", "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815")
        let identity = claimed.identity
        let early = await owner.run("bike", "missing")
        #expect(early.status == 65 && early.errors.contains("findmybike bike test"), "\(early.errors)")
        let begun = try await owner.output("bike", "test", "--no-wait")
        #expect(begun.contains("Minor   \(identity.minor)"), "\(begun)")
        #expect(try await owner.output("bike", "list").contains("beacon in test until"))
        let scenario = try folder.write(
            """
            name: an owner brings a beacon
            duration: 10s
            beacons:
              - name: Brompton
                identity: \(identity.uuid):\(identity.major):\(identity.minor)
                measuredPower: -59
                interval: 500ms
                path: [{at: 0s, x: 3, y: 0}, {at: 10s, x: 3, y: 0}]

            """, to: "test.yaml")
        let played = try await play(scenario, "--speed", "10")
        #expect(played.status == 0, "\(played.errors)")
        try #require(try await owner.output("bike", "list").contains("not missing"))
        #expect(try await owner.output("bike", "test").contains("can be reported missing"))
        #expect(try await owner.output("bike", "history").contains("a station heard the beacon in its test"))
        _ = try await owner.output("bike", "missing")
    }

    @Test("a bad network without a clock is refused, and the error says what to do")
    func needsTime() async throws {
        let result = try await play(path("flaky-network"), "--speed", "max")
        #expect(result.status == 64 && result.errors.contains("--speed 20"), "\(result.errors)")
    }

    @Test("stays of bikes that were not reported missing count as missed, and the summary says what to do")
    func unlisted() async throws {
        let result = try await play(path("bike-passes-cafe"), "--speed", "max")
        #expect(result.status == 1)
        let missed = #/\ {2}missed {4}1\n {14}stolen bike, 3\ds to 1m1\ds\n/#
        #expect(result.output.contains(missed), "\(result.output)")
        #expect(result.output.contains("findmybike bike register --identity"))
    }
}
