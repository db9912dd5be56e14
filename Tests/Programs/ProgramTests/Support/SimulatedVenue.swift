import Beacons
import Foundation
import HTTPClient
import MissingList
import TestSupport
import Testing

@testable import findmybike

/// A venue with a missing bike and a scripted registry, for tests of the built programs.
struct SimulatedVenue {
    static let identity = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"
    private static let scenario = """
        name: a bike stands there
        duration: 2h
        beacons:
          - name: bike
            identity: \(identity)
            measuredPower: -59
            interval: 500ms
            position: { x: 3, y: 0 }

        """

    private let scenario: String
    let folder: TemporaryFolder
    let registry: PythonPeer
    let socket: String
    private let http: HTTPConnection

    init() async throws {
        try await self.init(missing: [Self.identity], scenario: Self.scenario)
    }

    /// A venue with other bikes.
    init(missing: [String], scenario: String) async throws {
        self.scenario = scenario
        folder = try TemporaryFolder()
        registry = try PythonPeer(Repository.path("Tests/Venue/MonitorTests/Fixtures/registry.py"))
        socket = folder.file("status.sock")
        http = try HTTPConnection()
        let identities = try missing.map { try #require(BeaconIdentity($0)) }
        let list = MissingIdentities(version: ListVersion(number: 1, mark: 1), identities: identities)
        let full = Data(list.encoded).base64EncodedString()
        try await control(#"{"list":{"tag":"\"\#(list.version)\"","full":"\#(full)","deltas":{}}}"#)
    }

    var url: String { "http://127.0.0.1:\(registry.port)" }

    /// Sets the registry's next responses; see the script.
    func control(_ json: String) async throws {
        _ = try await http.send(HTTPRequest(.post, url: "\(url)/control", body: Array(json.utf8)))
    }

    /// The reports that the registry received.
    func told() async throws -> String {
        String(decoding: try await http.send(HTTPRequest(.get, url: "\(url)/state")).body, as: UTF8.self)
    }

    /// Starts the monitor with these lines of settings in addition to the required ones.
    func start(_ settings: String) throws -> StartedProgram {
        try StartedProgram(try BuiltProgram("findmybike-monitor"), try arguments(settings, speed: 20))
    }

    /// The monitor's arguments.
    ///
    /// - Parameter state: the folder of list and outbox; the venue's by default.
    func arguments(_ settings: String, speed: Int, state: String? = nil) throws -> [String] {
        let token = try folder.write("token", to: "token")
        let file = try folder.write(
            """
            registry:
              url: \(url)
            station:
              tokenFile: \(token)
            state: \(state ?? folder.path)
            status:
              socket: \(socket)
            \(settings)

            """, to: "monitor.yaml")
        let scenario = try folder.write(scenario, to: "scenario.yaml")
        return ["--config", file, "--simulate", scenario, "--speed", "\(speed)"]
    }

    /// Runs `findmybike venue`.
    func venue(_ arguments: String...) async -> CommandRun {
        await FindMyBike.run(["venue"] + arguments + ["--socket", socket])
    }
}
