import Beacons
import Foundation
import MissingList
import TestSupport
import Testing

/// Staff at a venue see how the monitor fares and decide what is reported, from the command line.
@Suite("A venue's commands", .timeLimit(.minutes(3)))
struct VenueTests {
    private static let identity = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"
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

    private let folder: TemporaryFolder
    private let registry: PythonPeer
    private let findmybike: BuiltProgram
    private let socket: String

    init() throws {
        folder = try TemporaryFolder()
        registry = try PythonPeer(Repository.path("Tests/MonitorTests/Fixtures/registry.py"))
        findmybike = try BuiltProgram("findmybike")
        socket = folder.file("status.sock")
        let identity = try #require(BeaconIdentity(Self.identity))
        let list = MissingIdentities(version: ListVersion(number: 1, mark: 1), identities: [identity])
        let full = Data(list.encoded).base64EncodedString()
        let missing = #"{"list":{"tag":"\"\#(list.version)\"","full":"\#(full)","deltas":{}}}"#
        _ = try curl(["--data", missing, "\(url)/control"])
    }

    private var url: String { "http://127.0.0.1:\(registry.port)" }

    private func curl(_ arguments: [String]) throws -> String {
        try BuiltProgram(path: "/usr/bin/curl").run(["--silent", "--show-error"] + arguments).output
    }

    private func start(_ settings: String) throws -> StartedProgram {
        let token = try folder.write("token", to: "token")
        let file = try folder.write(
            """
            registry:
              url: \(url)
            station:
              tokenFile: \(token)
            state: \(folder.path)
            status:
              socket: \(socket)
            \(settings)

            """, to: "monitor.yaml")
        let scenario = try folder.write(Self.scenario, to: "scenario.yaml")
        return try StartedProgram(
            try BuiltProgram("findmybike-monitor"),
            ["--config", file, "--simulate", scenario, "--speed", "20"])
    }

    private func venue(_ arguments: String...) throws -> BuiltProgram.Result {
        try findmybike.run(["venue"] + arguments + ["--socket", socket])
    }

    @Test("nothing is reported before someone agrees; then it is, and the status shows it")
    func consent() async throws {
        let monitor = try start("report: ask")
        #expect(await monitor.line(containing: "visit began") != nil)
        var pending: [[String: String]] = []
        while pending.isEmpty {
            let text = try venue("pending", "--json").output
            pending = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
                .map { $0.compactMapValues { $0 as? String } }
        }
        #expect(pending.first?["beacon"] == Self.identity)
        let id = try #require(pending.first?["id"])
        #expect(try venue("pending").output.contains(id))
        #expect(try curl(["\(url)/state"]).contains(#""visits": {}"#))

        let confirmed = try venue("confirm", id)
        #expect(confirmed.status == 0, "\(confirmed.errors)")
        #expect(confirmed.output == "Visit \(id) will be reported.\n")
        #expect(await monitor.line(containing: "sighting stored") != nil)
        #expect(try curl(["\(url)/state"]).contains(id))

        let again = try venue("dismiss", id)
        #expect(again.status == 66)
        #expect(again.errors == "findmybike: No visit \(id) waits for an answer.\n")
        let status = try venue("status").output
        #expect(status.contains("consent       ask\n"), "\(status)")
        #expect(status.contains("1 stored"), "\(status)")
        #expect(status.contains("adverts a second"))
        #expect(try venue("pending").output == "No visit waits for consent.\n")
        monitor.interrupt()
        let end = await monitor.end()
        #expect(end.status == 0, "\(end.output)")
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test("what the registry calls invalid is shown with its reason, while the monitor runs and after")
    func refused() async throws {
        _ = try curl(["--data", #"{"script":["invalid"]}"#, "\(url)/control"])
        let monitor = try start("")
        #expect(await monitor.line(containing: "visit set aside") != nil)
        for isRunning in [true, false] {
            if !isRunning {
                monitor.interrupt()
                _ = await monitor.end()
            }
            let program = try BuiltProgram("findmybike-monitor")
            let text = try program.run(["outbox", "--state", folder.path])
            #expect(text.status == 0, "\(text.errors)")
            #expect(text.output.contains("/visits/0/count: too many"), "\(text.output)")
            #expect(text.output.contains(Self.identity))
            let json = try program.run(["outbox", "--state", folder.path, "--json"]).output
            #expect(json.contains(#""reason":"/visits/0/count: too many""#), "\(json)")
        }
    }

    @Test("without a monitor, each command says what to do")
    func absent() throws {
        for command in [["status"], ["pending"], ["confirm", "all"], ["dismiss", "all"]] {
            let result = try findmybike.run(["venue"] + command + ["--socket", socket])
            #expect(result.status == 69)
            #expect(result.errors.contains("no monitor serves its status at \(socket)"), "\(result.errors)")
        }
        let outbox = try BuiltProgram("findmybike-monitor").run(["outbox", "--state", folder.path])
        #expect(outbox.status == 66)
        #expect(outbox.errors.contains("\(folder.path)/outbox.sqlite"))
    }
}
