import Foundation
import TestSupport
import Testing

@testable import MonitorCommands
@testable import findmybike_registry

@Suite("Samples and units")
struct SampleTests {
    @Test("the monitor’s sample settings are accepted unchanged")
    func monitorSample() async throws {
        let folder = try TemporaryFolder()
        let result = await MonitorCommand.run(
            ["--config", Repository.path("config/monitor.yaml"), "--check-config", "--state", folder.path],
            variables: ["FINDMYBIKE_STATION_TOKEN_FILE": try folder.write("token", to: "token")])
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Settings that pass `--check-config` must start.
    @Test("--check-config and the start report the same errors, all at once")
    func obstacles() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            registry:
              url: https://registry.example.org
              certificateAuthority: \(folder.file("no-authority.pem"))
            station:
              tokenFile: \(folder.file("no-token"))
            state: \(folder.file("no-folder"))
            status:
              socket: \(folder.file("no-run/status.sock"))
            mqtt:
              url: mqtt://localhost
              user: venue
              passwordFile: \(folder.file("no-password"))

            """, to: "monitor.yaml")
        let scenario = Repository.path("config/scenarios/bike-passes-cafe.yaml")
        for mode in [["--check-config"], ["--simulate", scenario]] {
            let result = await MonitorCommand.run(["--config", path] + mode)
            #expect(result.status == 78)
            for name in ["no-authority.pem", "no-token", "no-folder", "no-password"] {
                #expect(result.errors.ranges(of: name).count == 1, "\(mode) \(name): \(result.errors)")
            }
        }
        let checked = await MonitorCommand.run(["--config", path, "--check-config"])
        #expect(checked.errors.contains("warning: status.socket"), "\(checked.errors)")
    }

    @Test("a mistyped environment variable is warned about")
    func mistyped() async throws {
        let folder = try TemporaryFolder()
        let result = await MonitorCommand.run(
            ["--config", Repository.path("config/monitor.yaml"), "--check-config", "--state", folder.path],
            variables: [
                "FINDMYBIKE_STATION_TOKEN_FILE": try folder.write("token", to: "token"), "FINDMYBIKE_LOG_LEVL": "debug",
            ])
        #expect(result.status == 0)
        #expect(result.errors.contains("did you mean FINDMYBIKE_LOG_LEVEL?"), "\(result.errors)")
    }

    @Test("the registry’s sample settings are accepted unchanged")
    func registrySample() async throws {
        let folder = try TemporaryFolder()
        let result = await FindMyBikeRegistry.run([
            "serve", "--config", Repository.path("config/registry.yaml"), "--check-config", "--database",
            folder.file("registry.sqlite"),
        ])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        "every commented-out setting of a sample is accepted, with the default that it shows",
        arguments: ["monitor", "registry"]
    )
    func commentedDefaults(sample: String) async throws {
        let original = try String(contentsOfFile: Repository.path("config/\(sample).yaml"), encoding: .utf8)
        let uncommented = original.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.replacing(/^(\ *)# ([a-zA-Z]+:( \S+)?)$/) { "\($0.output.1)\($0.output.2)" }
        }
        let folder = try TemporaryFolder()
        let text = uncommented.joined(separator: "\n").replacing("/var/lib/findmybike-registry", with: folder.path)
        let path = try folder.write(text, to: "settings.yaml")
        let key = ["key", "create", "--key-file", folder.file("signing.key")]
        #expect(await FindMyBikeRegistry.run(key).status == 0)
        let check = ["--config", path, "--check-config"]
        // The monitor's default files exist only after a package is installed.
        let result =
            sample == "registry"
            ? await FindMyBikeRegistry.run(["serve"] + check)
            : await MonitorCommand.run(
                check + ["--state", folder.path],
                variables: [
                    "FINDMYBIKE_STATION_TOKEN_FILE": try folder.write("token", to: "token"),
                    "FINDMYBIKE_MQTT_USER": "venue",
                    "FINDMYBIKE_MQTT_PASSWORD_FILE": try folder.write("secret", to: "password"),
                ])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        "conflicting settings are refused before anything starts",
        arguments: [
            ("station:\n  latitude: 1\n", "registry.url is not set"),
            ("registry:\n  url: https://a.example\nstation:\n  latitude: 1\n", "belong together"),
            (
                "registry:\n  url: https://a.example\nlocation:\n  source: gpsd\n  gpsd: localhost\n",
                "write it as host:port"
            ),
        ])
    func misfits(text: String, remedy: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "monitor.yaml")
        let result = await MonitorCommand.run(["--config", path, "--check-config"])
        #expect(result.status == 78 && result.errors.contains(remedy), "\(result.errors)")
    }

    @Test("the settings reference matches the programs")
    func reference() async throws {
        let page = try String(contentsOfFile: Repository.path("docs/configuration.md"), encoding: .utf8)
        for table in [await MonitorCommand.run(["settings"]), await FindMyBikeRegistry.run(["settings"])] {
            #expect(table.status == 0 && page.contains(table.output), "run scripts/reference.sh")
        }
    }

    @Test("systemd accepts the units", arguments: ["findmybike-monitor", "findmybike-registry"])
    func units(name: String) async throws {
        let folder = try TemporaryFolder()
        let unit = try String(contentsOfFile: Repository.path("systemd/\(name).service"), encoding: .utf8)
        let program = try BuiltProgram(name).path
        let installed = unit.replacing("/usr/bin/\(name)", with: program)
        #expect(installed != unit)
        let path = try folder.write(installed, to: "\(name).service")
        let verify = try await BuiltProgram(path: "/usr/bin/systemd-analyze").run(["verify", path])
        #expect(verify.status == 0)
        #expect(verify.errors.isEmpty, "\(verify.errors)")
    }

    @Test(
        "the units grant no unnecessary privileges",
        arguments: ["findmybike-monitor": 2.0, "findmybike-registry": 1.5])
    func exposure(name: String, limit: Double) async throws {
        let security = try await BuiltProgram(path: "/usr/bin/systemd-analyze").run([
            "security", "--offline=true", Repository.path("systemd/\(name).service"),
        ])
        let level = try #require(security.output.firstMatch(of: /exposure level for \S+: ([0-9.]+)/))
        #expect(try #require(Double(level.output.1)) <= limit)
    }
}
