import CommandSupport
import Foundation
import Logging
import MonitorConfiguration
import TestSupport
import Testing

@testable import MonitorCommands

/// A container becomes a station by its options, and says what prevents it.
@Suite("Containers", .timeLimit(.minutes(20)))
struct ContainerTests {
    private let folder: TemporaryFolder
    private let registry: LiveRegistry
    private let operatorToken: String
    private let data: String
    private let token: String

    init() async throws {
        folder = try TemporaryFolder()
        operatorToken = try await LiveRegistry.newOperator(in: folder)
        registry = try await LiveRegistry(in: folder)
        data = folder.file("data")
        token = data + "/token"
        try FileManager.default.createDirectory(atPath: data + "/state", withIntermediateDirectories: true)
    }

    private static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private struct Invitation: Decodable {
        let code: String
    }

    /// Returns a code, from an operator who has logged in.
    private func invite() async throws -> String {
        let chief = registry.person("operator")
        _ = try await chief.output("login", registry.url, "--replace", input: operatorToken)
        let invitation = try await chief.output(
            "station", "invite", "--name", "Café", "--latitude", "48.25", "--longitude", "-3.5", "--json")
        return try JSONDecoder().decode(Invitation.self, from: Data(invitation.utf8)).code
    }

    /// - Parameters:
    ///   - options: the options of an app; nil if the environment has the registry and the code.
    ///   - variables: what the environment has in addition.
    private func setup(
        _ code: String, options: String? = nil, variables: [String: String] = [:],
        supervisor: @escaping @Sendable (String) -> Supervisor = { Supervisor(token: $0) }
    ) throws -> ContainerPreparation {
        var environment = ["FINDMYBIKE_STATE": data + "/state", "FINDMYBIKE_STATION_TOKEN_FILE": token]
        if let options {
            try Data(options.utf8).write(to: URL(fileURLWithPath: data + "/options.json"))
        } else {
            environment["FINDMYBIKE_REGISTRY_URL"] = registry.url
            environment["FINDMYBIKE_CODE"] = code
        }
        return ContainerPreparation(
            options: data + "/options.json", file: data + "/monitor.yaml", secrets: folder.file("secrets"),
            environment: environment.merging(variables) { $1 }, logger: Self.silence, supervisor: supervisor)
    }

    /// Tries to start until it succeeds, or until it has waited this number of times.
    private func start(
        _ setup: ContainerPreparation, waits: Int = .max
    ) async throws -> (work: ContainerWork, waits: [Duration]) {
        let clock = ImpatientClock(limit: waits)
        let work = ContainerWork(setup: setup, clock: clock, logger: Self.silence)
        try await work.run()
        return (work, clock.sleeps)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("a container enrols once, and its monitor does not get what only the enrolment needs")
    func once() async throws {
        func prepare(_ code: String) async throws -> [String: String] {
            try await setup(code, variables: ["TZ": "Europe/Berlin"]).prepare(isPatient: true) { _ in }
        }
        await #expect { try await prepare("") } throws: { "\($0)".contains("there is no code") }
        await #expect { try await prepare("7KQ2M-XW9TC-4HJ6D-PPZ0A") } throws: {
            "\($0)".contains("code does not work")
        }
        let code = try await invite()
        let variables = try await prepare(code)
        #expect(variables["FINDMYBIKE_CODE"] == nil && variables["TZ"] == "Europe/Berlin")
        let first = try text(token)
        // A restart, and one after somebody has removed the code.
        #expect(try await prepare(code) == variables)
        #expect(try await prepare("") == variables)
        #expect(try text(token) == first)
    }

    @Test("a container stays a station when the record of its code is lost, or when another code is mistyped")
    func stays() async throws {
        func prepare(_ url: String, _ code: String) async throws -> [String] {
            var remarks: [String] = []
            _ = try await setup(code, options: #"{"registry": "\#(url)", "code": "\#(code)"}"#)
                .prepare(isPatient: true) { remarks.append($0) }
            return remarks
        }
        let code = try await invite()
        #expect(try await prepare(registry.url, code).isEmpty)
        let secret = try text(token)
        try FileManager.default.removeItem(atPath: token + ".enrolled")
        for code in [code, "7KQ2M-XW9TC"] {
            let remarks = try await prepare(registry.url, code)
            #expect(remarks.last?.hasSuffix("The station goes on as it was") == true, "\(remarks)")
        }
        // Another registry must not get the token.
        await #expect(throws: CommandFailure.self) { try await prepare("http://127.0.0.1:1", code) }
        #expect(try text(token) == secret)
    }

    /// Folders stand where files belong, and a file for a folder, because a full or read-only disk needs rights that a
    /// test does not have.
    @Test(
        "a container that cannot write its files says so, and tries again until it can",
        arguments: ["token.attempt", "state/outbox.sqlite", "state"])
    func unwritable(name: String) async throws {
        let setup = try setup(try await invite())
        let files = FileManager.default
        let (obstacle, aside) = ("\(data)/\(name)", folder.file("aside"))
        if name != "token.attempt" {
            #expect(try await start(setup).work.result != nil)
            try files.moveItem(atPath: obstacle, toPath: aside)
        }
        if name == "state" {
            _ = try folder.write("", to: "data/state")
        } else {
            try files.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        }
        let (stuck, waits) = try await start(setup, waits: 3)
        #expect(waits == [.seconds(30), .seconds(30), .seconds(30)])
        #expect(stuck.result == nil)
        #expect(stuck.notice.joined().contains("It tries again every 30 seconds"), "\(stuck.notice)")
        #expect(!stuck.notice.joined().contains("same command"), "\(stuck.notice)")
        try files.removeItem(atPath: obstacle)
        if files.fileExists(atPath: aside) { try files.moveItem(atPath: aside, toPath: obstacle) }
        #expect(try await start(setup).work.result != nil)
    }

    @Test("a Supervisor that accepts a request and does not answer delays a station by a minute, not for ever")
    func silentSupervisor() async throws {
        let peer = try PythonPeer(
            Repository.path("Tests/Radio/HomeAssistantTests/Fixtures/home_assistant.py"),
            ["--supervisor", "--fault", "mute"], interpreter: Repository.path(".build/venv/bin/python"),
            remedy: "run ‘scripts/prepare.sh tests’, which installs websockets in .build/venv")
        let (url, code, port) = (registry.url, try await invite(), peer.port)
        let setup = try setup(
            code, options: #"{"registry": "\#(url)", "code": "\#(code)", "place": "home_assistant", "alarms": true}"#,
            variables: [Supervisor.tokenVariable: "a.long-lived.access-token"]
        ) {
            Supervisor(token: $0, address: "http://127.0.0.1:\(port)", patience: .milliseconds(50))
        }
        let (work, waits) = try await start(setup)
        #expect(waits == [.seconds(30), .seconds(30)])
        #expect(work.notice.joined().contains("Supervisor does not answer"), "\(work.notice)")
        let variables = try #require(work.result)
        #expect(variables["FINDMYBIKE_RECEIVERS"]?.contains("home-assistant") == true, "\(variables)")
        #expect(variables["FINDMYBIKE_MQTT_URL"] == nil && variables["FINDMYBIKE_STATION_LATITUDE"] == nil)
        peer.kill()
    }
}
