import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import MonitorCommands
@testable import findmybike

/// A café's machine becomes a station, and people log in, without copying a secret into a file by hand.
@Suite("Enrolment and login", .timeLimit(.minutes(20)))
struct EnrolmentTests {
    private let folder: TemporaryFolder
    private let registry: LiveRegistry
    private let operatorToken: String
    private let settings: String
    private let token: String

    init() async throws {
        folder = try TemporaryFolder()
        operatorToken = try await LiveRegistry.newOperator(in: folder)
        registry = try await LiveRegistry(in: folder)
        token = folder.file("station-token")
        settings = try folder.write(
            """
            # Ours.
            registry:
              url: https://registry.example.org # to be replaced
            station:
              tokenFile: \(token)
              latitude: 51.50072
              longitude: -0.12463
              # accuracy: 3
            state: \(folder.path)

            """, to: "monitor.yaml")
    }

    private struct Invitation: Decodable {
        let code: String
    }

    private func findmybike(_ arguments: String..., input: String = "") async -> CommandRun {
        await FindMyBike.run(
            arguments, variables: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.file("xdg")], input: input)
    }

    private func enrol(_ code: String, _ more: String...) async -> CommandRun {
        await MonitorCommand.run(["enrol", registry.url, code, "--config", settings] + more)
    }

    /// Returns a code for a station of this name, from an operator who has logged in.
    private func invite(_ more: String...) async throws -> String {
        let chief = registry.person("operator")
        _ = try await chief.output("login", registry.url, "--replace", input: operatorToken)
        let result = await chief.run(
            [
                "station", "invite", "--name", "Café", "--latitude", "48.25", "--longitude", "-3.5", "--accuracy",
                "7", "--json",
            ] + more)
        #expect(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Invitation.self, from: Data(result.output.utf8)).code
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func mode(_ path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        return try #require(value).intValue
    }

    private static let enrolled = """
        # Ours.
        registry:
          url: URL # to be replaced
        station:
          tokenFile: TOKEN
          latitude: 48.25
          longitude: -3.5
          # accuracy: 3
          accuracy: 7.0

        """

    @Test("a text file on a card enrols its machine, and a person reads there what became of it")
    func card() async throws {
        let boot = folder.file("boot")
        try FileManager.default.createDirectory(atPath: boot, withIntermediateDirectories: true)
        func start(code: String) async throws -> (status: Int32, said: String) {
            let file = "registry: \(registry.url.replacing("http://", with: ""))\r\ncode: \(code)\r\n"
            try Data(file.utf8).write(to: URL(fileURLWithPath: boot + "/findmybike.txt"))
            let result = await MonitorCommand.run(["card", "enrol", "--folder", boot, "--settings", settings])
            return (result.status, try text(boot + "/findmybike-status.txt"))
        }
        let empty = try await start(code: "")
        #expect(empty.status == 0 && empty.said.contains("There is no code in findmybike.txt"))
        let colonless = try await start(code: "x\r\ncountry Germany")
        #expect(colonless.status == 78 && colonless.said.contains("Line 3: a line is a name, a colon and a value"))
        let wrong = try await start(code: "7KQ2M-XW9TC-4HJ6D-PPZ0A")
        #expect(wrong.status == 77 && wrong.said.contains("The code does not work"))
        #expect(try text(boot + "/findmybike.txt").contains("7KQ2M"))

        let code = try await invite()
        for _ in 1...2 {
            // The second time stands for a power loss before the code was removed.
            let right = try await start(code: code)
            #expect(right.status == 0 && right.said.contains("This machine is the station “Café”"), "\(right)")
            #expect(try text(boot + "/findmybike.txt").contains("code:\r\n"))
        }
        // Errors that have been corrected are no longer shown.
        #expect(try await start(code: "x\r\nwrong: y").said.contains("has errors"))
        #expect(try await start(code: "").said.contains("This machine is the station “Café”"))
        let first = try text(token)
        let other = try await start(code: try await invite("--name", "Garage"))
        #expect(other.status == 0 && other.said.contains("Garage"), "\(other)")
        #expect(try text(token) != first)
        #expect(try mode(token) == 0o600)
    }

    @Test("a registry that asks for a longer wait is no reason to wait in silence")
    func tooManyCodes() async throws {
        var result = await enrol("7KQ2M-XW9TC-4HJ6D-PPZ0A")
        for _ in 0..<100 where result.status == 77 { result = await enrol("7KQ2M-XW9TC-4HJ6D-PPZ0A") }
        #expect(result.status == 75, "\(result.errors)")
        #expect(result.errors.contains("Repeat the same command"), "\(result.errors)")
    }

    @Test("one command enrols a station: token and place are written, comments and other settings stay")
    func enrols() async throws {
        let before = try text(settings)
        let result = await enrol(try await invite())
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("‘Café’") && result.output.contains("systemctl enable --now findmybike-monitor"))
        let expected = Self.enrolled.replacing("URL", with: registry.url).replacing("TOKEN", with: token)
        #expect(try text(settings) == expected + "state: \(folder.path)\n")
        #expect(try text(settings + ".bak") == before)
        #expect(try text(token).hasPrefix("fmb_station_") && mode(token) == 0o600)
        let secret = try text(token).trimmingCharacters(in: .newlines)
        #expect(!result.output.contains(secret) && !result.errors.contains(secret))
        let doctor = await findmybike("doctor", "--config", settings)
        #expect(doctor.output.contains("the registry accepts the station’s token"), "\(doctor.output)")
    }

    @Test("a used or wrong code is explained, and existing files stay unchanged")
    func refused() async throws {
        let code = try await invite()
        #expect(await enrol(code).status == 0)
        let (first, before) = (try text(token), try text(settings))
        let again = await enrol(code.lowercased())
        #expect(again.status == 0 && again.output.contains("already the station ‘Café’"), "\(again.errors)")
        let other = await enrol(try await invite())
        #expect(other.status == 73 && other.errors.contains("--replace"), "\(other.errors)")
        let used = await enrol(code, "--replace")
        #expect(used.status == 77 && used.errors.contains("findmybike station invite"), "\(used.errors)")
        #expect(try text(token) == first && text(settings) == before)
        #expect(!FileManager.default.fileExists(atPath: token + ".attempt"))
        #expect(await enrol(try await invite(), "--replace").status == 0)
        #expect(try text(token) != first)
    }

    @Test("an enrolment interrupted before the settings were written can be repeated with the same code")
    func interrupted() async throws {
        let code = try await invite()
        let usual = try text(settings)
        // The editor cannot find the place for a new value in this style.
        _ = try folder.write(usual.replacing("# accuracy: 3", with: "accuracy: >-\n    3"), to: "monitor.yaml")
        let stopped = await enrol(code)
        #expect(stopped.status == 74 && stopped.errors.contains(token), "\(stopped.errors)")
        #expect(stopped.errors.contains("station.latitude: 48.25"))
        let first = try text(token)
        _ = try folder.write(usual, to: "monitor.yaml")
        let repeated = await enrol(code)
        #expect(repeated.status == 0, "\(repeated.errors)")
        #expect(try text(token) != first)
        #expect(try text(settings).contains("latitude: 48.25"))
    }

    @Test("a code is not used up if nothing can be written or the registry is unreachable")
    func unusable() async throws {
        let code = try await invite()
        let absent = await enrol(code, "--token-file", "/nonexistent/token")
        #expect(absent.status == 73 && absent.errors.contains("mkdir"), "\(absent.errors)")
        let silent = await MonitorCommand.run(["enrol", "http://127.0.0.1:1", code, "--config", settings])
        #expect(silent.status == 69 && silent.errors.contains("cannot be reached"), "\(silent.errors)")
        let plain = await MonitorCommand.run(["enrol", "http://registry.example", code, "--config", settings])
        #expect(plain.status == 78 && plain.errors.contains("https"), "\(plain.errors)")
        #expect(await enrol(code).status == 0)
    }

    @Test(
        "a mobile station gets no place, and its token is written where the command says", arguments: [false, true])
    func mobile(bySetting: Bool) async throws {
        let other = folder.file("other-token")
        if bySetting { _ = try folder.write(try text(settings) + "location:\n  source: gpsd\n", to: "monitor.yaml") }
        let result = await enrol(
            bySetting ? try await invite() : try await invite("--mobile"), "--token-file", other)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try text(settings).contains("  # latitude: 51.50072\n"))
        #expect(try text(settings).contains("tokenFile: \(other)\n"))
        #expect(try text(other).hasPrefix("fmb_station_"))
    }

    @Test("login shows who is logged in, and further commands need neither address nor token")
    func login() async throws {
        let created = await findmybike("login", registry.url, "--new")
        #expect(created.status == 0, "\(created.errors)")
        #expect(created.output.contains("you are owner ") && created.output.contains("Recovery codes"))
        let file = folder.file("xdg/findmybike/token")
        #expect(try mode(file) == 0o600)
        #expect(try text(folder.file("xdg/findmybike/config.yaml")) == "registry:\n  url: \(registry.url)\n")
        #expect(await findmybike("bike", "list").output.contains("No bikes yet"))

        let owner = try text(file)
        #expect(await findmybike("login", registry.url, "--new").errors.contains("--replace"))
        let other = await findmybike("login", registry.url, "--replace", input: operatorToken)
        #expect(other.output.contains("you are an operator"), "\(other.errors)")
        #expect(try text(file + ".bak") == owner)
        let back = await findmybike("login", registry.url, "--replace", "--json", input: owner)
        #expect(back.output.contains("\"owner\"") && !back.output.contains(owner.trimmingCharacters(in: .newlines)))
    }

    @Test("an unusable token is refused before it is stored", arguments: ["", "nonsense", "station"])
    func wrongToken(kind: String) async throws {
        var input = kind
        if kind == "station" {
            #expect(await enrol(try await invite()).status == 0)
            input = try text(token)
        }
        let file = folder.file("token")
        let result = await findmybike("login", registry.url, "--token-file", file, input: input)
        #expect(result.status == (kind.isEmpty ? 64 : 77))
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
