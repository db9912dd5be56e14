import Foundation
import TestSupport
import Testing

/// The built programs in processes of their own, as people start them. Most other tests run commands in their own
/// process, which is faster.
@Suite("The programs together", .timeLimit(.minutes(20)))
struct EndToEndTests {
    private static let appKey = "key-of-the-original-app"
    private static let identity = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"

    private struct Bike: Decodable {
        let id: String
    }

    private struct Invitation: Decodable {
        let code: String
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(
        _ program: String, _ arguments: String..., as person: String = "nobody", input: String? = nil,
        more: [String: String] = [:]
    ) async throws -> BuiltProgram.Result {
        try await BuiltProgram(program).run(
            arguments, environment: ["HOME": folder.file(person)].merging(more) { $1 }, input: input)
    }

    /// The output of `findmybike`, which must succeed.
    private func findmybike(_ arguments: String..., as person: String, input: String? = nil) async throws -> String {
        let run = try await BuiltProgram("findmybike").run(
            arguments, environment: ["HOME": folder.file(person)], input: input)
        try #require(run.status == 0, "\(arguments): \(run.errors)")
        return run.output
    }

    @Test("a missing bike is heard at a station, and no program’s most verbose log contains a secret")
    func life() async throws {
        let database = folder.file("registry.sqlite")
        let created = try await run("findmybike-registry", "operator", "create", "--database", database)
        let registry = try await StartedRegistry(
            in: folder, "log:\n  level: trace\ncompatibility:\n  key: \(Self.appKey)\n")
        _ = try await findmybike("login", registry.url, as: "operator", input: created.output)
        let invited = try await findmybike(
            "station", "invite", "--name", "Café", "--latitude", "48.25", "--longitude", "-3.5", "--json",
            as: "operator")
        let code = try JSONDecoder().decode(Invitation.self, from: Data(invited.utf8)).code
        let token = folder.file("station-token")
        let settings = try folder.write("station:\n  tokenFile: \(token)\nstate: \(folder.path)\n", to: "monitor.yaml")
        let enrolled = try await run("findmybike-monitor", "enrol", registry.url, code, "--config", settings)
        #expect(enrolled.status == 0, "\(enrolled.errors)")

        let login = try await findmybike("login", registry.url, "--new", as: "owner")
        let registered = try await findmybike(
            "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red", "--identity",
            Self.identity, "--json", as: "owner")
        let bike = try JSONDecoder().decode(Bike.self, from: Data(registered.utf8))
        _ = try await findmybike("claim", "accept", bike.id, Self.identity, as: "operator")
        let since = Date(timeIntervalSinceNow: -2 * 86_400).ISO8601Format()
        _ = try await findmybike("bike", "missing", "--since", since, as: "owner")
        let monitor = try await run(
            "findmybike-monitor", "--config", settings, "--simulate",
            Repository.path("config/scenarios/bike-passes-cafe.yaml"), "--speed", "max",
            more: ["FINDMYBIKE_LOG_LEVEL": "trace", "FINDMYBIKE_STATUS_SOCKET": folder.file("status.sock")])
        #expect(monitor.status == 0, "\(monitor.errors)")
        #expect(try await findmybike("sightings", as: "owner").contains("Café"))
        #expect(try await findmybike("bike", "found", as: "owner").contains("closed"))

        _ = try await BuiltProgram(path: "/usr/bin/curl").run(["--silent", "\(registry.url)/bikes?key=\(Self.appKey)"])
        let log = await registry.stop()
        #expect(log.contains("station enrolled") && log.contains("debug"))
        let owner = try text(folder.file("owner/.config/findmybike/token"))
        let codes = login.matches(of: /[0-9A-Z]{5}(-[0-9A-Z]{5})+/).map { String($0.output.0) }
        #expect(!codes.isEmpty)
        for secret in [created.output.trimmingCharacters(in: .newlines), try text(token), owner, code, Self.appKey]
            + codes
        {
            #expect(!log.contains(secret) && !monitor.errors.contains(secret) && !monitor.output.contains(secret))
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    @Test(
        "a process ends with the status that its command gives, and errors go to standard error",
        arguments: [
            ("findmybike", ["--version"], 0), ("findmybike", ["bik", "list"], 64),
            ("findmybike", ["owner", "create"], 78), ("findmybike", ["scan", "--replay", "/nowhere/x.btsnoop"], 66),
            ("findmybike-monitor", ["outbox", "--state", "/nowhere"], 66), ("findmybike-monitor", ["--help"], 0),
            ("findmybike-registry", ["serve", "--database", "/nowhere/x.sqlite", "--listen", "127.0.0.1:0"], 73),
            ("findmybike-registry", ["settings"], 0),
        ] as [(String, [String], Int32)])
    func statuses(program: String, arguments: [String], status: Int32) async throws {
        let end = try await BuiltProgram(program).run(arguments, environment: ["HOME": folder.path])
        #expect(end.status == status && !end.wasKilled, "\(end)")
        #expect(end.output.isEmpty == (status != 0) && end.errors.isEmpty == (status == 0), "\(end)")
    }

    @Test("a program whose reader has gone ends like any other, by SIGPIPE")
    func closedOutput() async throws {
        let shell = try await BuiltProgram(path: "/bin/bash").run([
            "-c", #"exec 3> >(true); wait $!; "$0" settings >&3; echo $?"#, try BuiltProgram("findmybike").path,
        ])
        #expect(shell.output == "141\n", "\(shell.errors)")
    }
}
